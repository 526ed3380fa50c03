import { Config } from "effect"

/** Environment of every server under test. */
export const setup = Config.unwrap({
  databaseUrl: Config.Redacted("BENCH_DATABASE_URL"),
  poolSize: Config.Int("BENCH_POOL_SIZE"),
  port: Config.Int("BENCH_PORT").pipe(Config.withDefault(0)),
  /** Whether other processes listen on the port, too. */
  sharesPort: Config.Boolean("BENCH_SHARES_PORT").pipe(Config.withDefault(false)),
  /** Requests per minute; Parley's own limits by default. */
  limits: Config.unwrap({
    token: Config.Int("BENCH_TOKEN_PER_MINUTE").pipe(Config.withDefault(6_000)),
    organization: Config.Int("BENCH_ORGANIZATION_PER_MINUTE").pipe(Config.withDefault(30_000))
  })
})

/** The issuer in the tokens. */
export const issuer = "parley"
