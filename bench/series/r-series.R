# Writes data sets of R's package "datasets" as datasets of prediction functions: Rscript r-series.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1]
label <- function(t, f) {
  year <- floor(t + 1e-6)
  if (f == 1) return(sprintf("%d", year))
  part <- round((t - year) * f) + 1
  if (f == 4) sprintf("%d-Q%d", year, part) else sprintf("%d-%02d", year, part)
}
rows <- function(name, x) {
  t <- as.numeric(time(x))
  sprintf("%s,%s,%s", name, sapply(t, label, f = frequency(x)), format(as.numeric(x), digits = 10, trim = TRUE))
}
save <- function(file, ...) {
  writeLines(c("series,period,value", ...), file.path(folder, paste0(file, ".csv")))
}
save("lung-deaths", rows("women", fdeaths), rows("men", mdeaths))
save("air-passengers", rows("passengers", AirPassengers))
save("nottingham", rows("temperature", nottem))
save("uk-gas", rows("gas", UKgas))
