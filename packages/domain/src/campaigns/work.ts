import { DateTime, Effect } from "effect"
import { transact } from "../kernel/index.ts"
import { sweepTenants } from "../platform/background/index.ts"
import { snapshotKept } from "./audience/snapshotKept.ts"
import { Audiences } from "./Audiences.ts"
import { sweepRecipients } from "./recipients/sweepRecipients.ts"

/** How many rows of lists that were kept are deleted at once. */
const stride = 10_000

/** How many lists are let go of at once. */
const batch = 100

const sweepSnapshots = Effect.gen(function* () {
  const audiences = yield* Audiences
  const now = yield* DateTime.now
  while ((yield* transact(audiences.release(snapshotKept, batch))) >= batch) yield* Effect.yieldNow
  while ((yield* transact(audiences.forget(now, stride))) >= stride) yield* Effect.yieldNow
})

/** Lists of recipients that were kept for a preview or a broadcast, and the recipients of broadcasts, are deleted when they have expired. */
export const campaignsWorks = [
  sweepTenants("audience snapshots", sweepSnapshots),
  sweepTenants("recipients of broadcasts", sweepRecipients)
] as const
