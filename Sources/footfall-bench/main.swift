print("footfall-bench")
