print("footfall-server-bench")
