import { DateTime, Duration, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import { withShop } from "../access/withShop.ts"
import { storeWebhookPath } from "../connecting/storeWebhookPath.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { underStore } from "../receiving/underStore.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { StoreSettings } from "../StoreSettings.ts"
import { afterAnswer } from "./failures.ts"
import { overlap } from "./overlap.ts"
import { readPage, recordKinds } from "./pages.ts"
import { readMarks } from "./readMarks.ts"

const hour = Duration.hours(1)

const hourOf = (at: DateTime.Utc) => Math.floor(DateTime.toEpochMillis(at) / Duration.toMillis(hour))

/** Has the shop deliver again what it may have stopped to: once an hour. */
const subscribe = (id: StoreConnectionId) =>
  withShop(
    id,
    Effect.fnUntraced(function* ({ access, connection, platform }) {
      const { publicUrl } = yield* StoreSettings
      yield* platform.subscribe(access, `${publicUrl}${storeWebhookPath(connection.provider)}`)
    })
  )

/** Reads what has changed in a shop since the last whole pass. Between the parts of it, what is marked comes first. */
export const passOver = Effect.fnUntraced(function* (lease: LaneLease, { id }: StoreConnection, asOf: DateTime.Utc) {
  const begunAt = yield* DateTime.now
  let isFull = false
  for (const kind of recordKinds) {
    let checkpoint: string | null = null
    do {
      yield* readMarks(lease, id)
      const page = yield* withShop(id, (shop) => readPage(shop, kind, overlap(asOf), checkpoint))
      const received = yield* Effect.gen(function* () {
        const taken = yield* page.receive
        yield* (yield* LaneQueue).hold(lease)
        return taken
      }).pipe(transact)
      isFull ||= received.isFull
      checkpoint = page.checkpoint
    } while (checkpoint !== null)
  }
  if (hourOf(begunAt) !== hourOf(asOf)) yield* subscribe(id)
  yield* underStore(
    id,
    Effect.fnUntraced(function* ({ lastError }, now) {
      yield* (yield* StoreConnections).keepProgress(id, {
        asOf: begunAt,
        lastSyncedAt: now,
        lastError: isFull
          ? { code: "contacts_limit", reason: "The plan has no room for more contacts.", at: now }
          : afterAnswer(lastError),
        retry: null
      })
      yield* (yield* LaneQueue).hold(lease)
    })
  )
})
