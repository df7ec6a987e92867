module stub

go 1.24.0
