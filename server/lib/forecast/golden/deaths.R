# Writes deaths.csv: monthly deaths in the United Kingdom and in accidents in the USA, and airline passengers, from R's
# datasets, with gaps, a covariate and a static column. Usage: Rscript deaths.R > deaths.csv
rows <- function(name, x, region) {
  t <- time(x) + 1e-6
  data.frame(series = name, period = sprintf("%d-%02d", floor(t), cycle(x)), deaths = as.numeric(x), region = region)
}
all <- rbind(rows("lungs", ldeaths, "uk"), rows("men", mdeaths, "uk"), rows("women", fdeaths, "uk"),
             rows("accidents", USAccDeaths, "usa"), rows("passengers", AirPassengers, "world"))
number <- seq_len(nrow(all))
all$deaths[all$series == "men" & all$period %in% c("1975-03", "1977-11", "1979-02")] <- NA
all$deaths[all$series == "women" & all$period == "1978-08"] <- NA
all$winter <- ifelse(substr(all$period, 6, 7) %in% c("12", "01", "02"), 1.5, 0.25)
all$winter[number %% 17 == 0] <- NA
all$noise <- (number * 37) %% 101 / 10
later <- data.frame(series = "lungs", period = c("1980-01", "1980-02", "1980-03"), deaths = NA, region = "uk",
                    winter = c(1.5, 1.5, 0.25), noise = NA)
all <- rbind(all, later)
all <- all[order((number_all <- seq_len(nrow(all)) * 7919) %% 1009), ]
all <- all[!(all$series == "women" & all$period == "1976-05"), ]
write.csv(all[, c("region", "period", "deaths", "series", "winter", "noise")], row.names = FALSE, na = "", quote = FALSE)
