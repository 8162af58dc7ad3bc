"""Programs of the controller language [Firmin15 §3] as controllers: compiled to tables that one law interprets."""
