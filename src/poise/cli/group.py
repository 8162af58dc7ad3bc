"""How commands are called: every failure becomes one message and one exit code, for any caller."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from poise.cli.failures import report
from poise.errors import unknown_name

#: An option. A lone `-` is stdout and `-50` is a number: both are values.
_OPTION = re.compile(r"-[^\d.]")


HELP: Final = "Show this message and exit"


class HouseGroup(TyperGroup):
    """A group of commands that reports errors in the style of Poise."""

    def get_help_option(self, ctx: Any) -> Any:
        """The help option, described without a period, like all others."""
        return _rephrase(super().get_help_option(ctx))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and, in standalone mode, exit with its code."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        try:
            code = super().main(args, "poise", complete_var, False, windows_expand_args, **extra)
        except (Exception, KeyboardInterrupt) as error:
            code = report(error)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; report errors that typer would report in its own words."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, EOFError, OSError) as error:
            ctx.exit(report(error))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first argument names."""
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            raise unknown_name(ctx.command_path, "command", args[0], names)
        return super().resolve_command(ctx, args)


class HouseCommand(TyperCommand):
    """A command whose repeatable options may be followed by several values: `--set a=1 b=2`."""

    def get_help_option(self, ctx: Any) -> Any:
        """The help option, described without a period, like all others."""
        return _rephrase(super().get_help_option(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments after repeating the option before each of its values."""
        options = [p for p in self.params if p.param_type_name == "option"]
        repeatable = {name for p in options if getattr(p, "multiple", False) for name in p.opts}
        flags = {name for p in options if getattr(p, "is_flag", False) for name in (*p.opts, *p.secondary_opts)}
        return super().parse_args(ctx, repeat_options(args, repeatable, flags | set(ctx.help_option_names)))


def _rephrase(option: Any) -> Any:
    if option is not None:
        option.help = HELP
    return option


class HouseApp(typer.Typer):
    """A family of commands in the style of Poise."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"cls": HouseGroup, **options})

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Register a command."""
        return super().command(name, **{"cls": HouseCommand, **options})


def repeat_options(args: Sequence[str], repeatable: Collection[str], flags: Collection[str]) -> list[str]:
    """The arguments with a repeatable option before each of its values; the command's own argument comes first."""
    out: list[str] = []
    option, wants_value, named = "", False, False
    for arg in args:
        if wants_value:
            wants_value = False
            out.append(arg)
        elif _OPTION.match(arg):
            option = arg if arg in repeatable else ""
            wants_value = "=" not in arg and arg not in flags
            out.append(arg)
        elif option and named:
            out += [option, arg]
        else:
            named = True
            out.append(arg)
    return out
