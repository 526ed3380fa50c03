import { SigningKeys } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { ok, skipped, warning } from "./Finding.ts"

const oldAfterDays = 365

/** Whether there are keys to sign with. The ports could be built: the master keys open the newest of them. */
export const checkKeys = Effect.gen(function* () {
  const [newest, ...older] = yield* (yield* SigningKeys).all
  if (newest === undefined) return [skipped("signing keys", "none yet: the first start of a server makes one")]
  const now = yield* DateTime.now
  const days = Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(newest.createdAt)) / 86_400_000)
  const found = `the newest of ${older.length + 1} is ${days} days old`
  return [
    ok("master keys", "they open the signing keys"),
    days > oldAfterDays ? warning("signing keys", found, "run `parley key rotate`") : ok("signing keys", found)
  ]
})
