"""The `.script` files of [Laszlo96]: read, repaired, written and run."""
