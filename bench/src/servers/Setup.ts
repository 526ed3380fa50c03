import { Config } from "effect"

/** What every server under test is told by its environment. */
export const setup = Config.unwrap({
  databaseUrl: Config.Redacted("BENCH_DATABASE_URL"),
  poolSize: Config.Int("BENCH_POOL_SIZE")
})

/** The name in the tokens of who issued them. */
export const issuer = "parley"
