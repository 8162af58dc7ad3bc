"""Many independent runs: in threads, in processes, or on a Dask cluster; the results never depend on which."""
