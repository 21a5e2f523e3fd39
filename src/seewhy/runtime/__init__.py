"""What every program needs: atomic files, prefetching, progress, seeding, malloc, options."""
