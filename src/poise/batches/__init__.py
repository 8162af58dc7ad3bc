"""Many independent runs in threads, in processes, or on a Dask cluster, with the same results."""
