# Computes baselines.json: forecasts of real series with R's forecast package, and with the formula of Theta written anew.
# Usage: Rscript baselines.R > baselines.json   (Debian: r-cran-forecast, r-cran-jsonlite)
suppressMessages(library(forecast))

# Theta as docs/decisions/forecasts.md states it. The smoothing is found from its definition, level by level.
own_theta <- function(x, h) {
  m <- frequency(x)
  y <- as.numeric(x)
  n <- length(y)
  season <- rep(1, n + h)
  if (m > 1 && n > 2 * m && all(y > 0)) {
    r <- sapply(1:m, function(k) sum((y[(k + 1):n] - mean(y)) * (y[1:(n - k)] - mean(y))) / sum((y - mean(y))^2))
    if (abs(r[m]) / sqrt((1 + 2 * sum(r[-m]^2)) / n) > qnorm(0.95)) {
      figure <- decompose(ts(y, frequency = m), type = "multiplicative")$figure
      season <- rep(figure, length.out = n + h)
      y <- y / season[1:n]
    }
  }
  errors <- function(alpha, first) {
    level <- first
    e <- numeric(n)
    for (t in 1:n) {
      e[t] <- y[t] - level
      level <- level + alpha * e[t]
    }
    list(squares = sum(e^2), level = level)
  }
  best_first <- function(alpha) optimize(function(first) errors(alpha, first)$squares, range(y) + c(-1, 1) * diff(range(y)), tol = 1e-12)$minimum
  profile <- function(alpha) errors(alpha, best_first(alpha))$squares
  grid <- seq(0.0001, 0.9999, length.out = 60)
  at <- which.min(sapply(grid, profile))
  alpha <- optimize(profile, grid[c(max(1, at - 1), min(60, at + 1))], tol = 1e-12)$minimum
  level <- errors(alpha, best_first(alpha))$level
  rise <- unname(coef(lm(y ~ I(0:(n - 1))))[2]) / 2
  (level + rise * (0:(h - 1) + (1 - (1 - alpha)^n) / alpha)) * season[n + 1:h]
}

holed <- function(x) {
  x[c(5, 20, 21, length(x) - 3)] <- NA
  x
}

cases <- list(
  AirPassengers = AirPassengers, USAccDeaths = USAccDeaths, JohnsonJohnson = JohnsonJohnson, Nile = Nile,
  ldeaths = ldeaths, UKgas = UKgas, LakeHuron = LakeHuron, nottem = nottem, discoveries = discoveries,
  AirPassengersUntil1953 = window(AirPassengers, end = c(1953, 7)), WWWusage = WWWusage
)
h <- 12
figures <- lapply(cases, function(x) list(
  season = frequency(x), values = as.numeric(x),
  seasonal_naive = as.numeric(snaive(x, h = h)$mean),
  drift = as.numeric(rwf(x, h = h, drift = TRUE)$mean),
  theta = own_theta(x, h),
  thetaf = as.numeric(thetaf(x, h = h)$mean)
))
figures$AirPassengersWithGaps <- list(
  season = 12, values = as.numeric(holed(AirPassengers)),
  seasonal_naive = as.numeric(snaive(holed(AirPassengers), h = h)$mean),
  drift = as.numeric(rwf(holed(AirPassengers), h = h, drift = TRUE)$mean)
)
cat(jsonlite::toJSON(figures, digits = NA, auto_unbox = TRUE, na = "null"), "\n")
