print("footfall-sample")
