"""The `.script` files of [Laszlo96]: read, repaired and written."""
