import { Effect, Equal, Schema } from "effect"
import { CurrentOrganization, Locks, requireVersion, transact, useCase, ValidationFailed } from "../../kernel/index.ts"
import { faultsOfWords } from "../../messaging/inbox/index.ts"
import { record } from "../../platform/audit/index.ts"
import { BroadcastSettings, type BroadcastSettingsPatch, StoredBroadcastSettings } from "../BroadcastSettings.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { openLane } from "../broadcastMoves.ts"
import { appendEvent } from "../events.ts"

/** Reads what holds for all broadcasts. */
export const getBroadcastSettings = useCase(
  "broadcastSettings.get",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* StoredBroadcastSettings).get()
  })
)

const encode = Schema.encodeSync(BroadcastSettings)

const audited = (settings: BroadcastSettings) => {
  const { version: _, ...written } = encode(settings)
  return written
}

/** Has whoever waits for the end of quiet hours looked at again, by what holds now. */
const recall = Effect.gen(function* () {
  const accounts = yield* (yield* RecipientLedger).recallAll()
  yield* Effect.forEach(accounts.toSorted(), openLane, { discard: true })
})

/** Changes what holds for all broadcasts. Those that are sending go by it from then on. */
export const updateBroadcastSettings = useCase(
  "broadcastSettings.update",
  { access: { permission: "broadcasts.send" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (patch: BroadcastSettingsPatch, expectedVersion: number | null) {
    const stored = yield* StoredBroadcastSettings
    yield* (yield* Locks).exclusive("broadcast_settings")
    const before = yield* stored.get()
    yield* requireVersion(before, expectedVersion)
    const changed = new BroadcastSettings({ ...before, ...patch })
    const errors = faultsOfWords(changed)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    if (Equal.equals(audited(before), audited(changed))) return before
    const after = yield* stored.save(changed, expectedVersion)
    if (!Equal.equals(before.quietHours, after.quietHours)) yield* recall
    const { id } = yield* CurrentOrganization
    yield* record(
      "broadcast_settings.updated",
      { kind: "organization", id },
      { before: audited(before), after: audited(after) }
    )
    yield* appendEvent({ type: "broadcast_settings.updated" })
    return after
  }, transact)
)
