import { Effect, Equal, Schema } from "effect"
import { CurrentOrganization, Locks, requireVersion, transact, useCase, ValidationFailed } from "../../kernel/index.ts"
import { validateOptKeywords } from "../../messaging/inbox/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { BroadcastSettings, type BroadcastSettingsPatch, StoredBroadcastSettings } from "../BroadcastSettings.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { scheduleBroadcastLane } from "../broadcastChanges.ts"
import { appendEvent } from "../events.ts"

/** Reads the settings of all broadcasts. */
export const getBroadcastSettings = useCase(
  { name: "broadcastSettings.get", access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* StoredBroadcastSettings).get()
  })
)

const encode = Schema.encodeSync(BroadcastSettings)

const auditFields = (settings: BroadcastSettings) => {
  const { version: _, ...written } = encode(settings)
  return written
}

/** Checks recipients that wait for quiet hours again with the current settings. */
const recallPostponed = Effect.gen(function* () {
  const accounts = yield* (yield* RecipientLedger).recallAll()
  yield* Effect.forEach(accounts.toSorted(), scheduleBroadcastLane, { discard: true })
})

/** Updates the settings of all broadcasts, including the sending ones. */
export const updateBroadcastSettings = useCase(
  {
    name: "broadcastSettings.update",
    access: { permission: "broadcasts.send" },
    actsThrough: "nothing",
    audit: "broadcast_settings.updated",
    emits: ["broadcast_settings.updated"]
  },
  Effect.fnUntraced(function* ({
    ifVersion,
    ...patch
  }: { readonly ifVersion: number | null } & BroadcastSettingsPatch) {
    const stored = yield* StoredBroadcastSettings
    yield* (yield* Locks).exclusive("broadcast_settings")
    const before = yield* stored.get()
    yield* requireVersion(before, ifVersion)
    const changed = new BroadcastSettings({ ...before, ...patch })
    const errors = validateOptKeywords(changed)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    if (Equal.equals(auditFields(before), auditFields(changed))) return before
    const after = yield* stored.save(changed, ifVersion)
    if (!Equal.equals(before.quietHours, after.quietHours)) yield* recallPostponed
    const { id } = yield* CurrentOrganization
    yield* recordAudit(
      "broadcast_settings.updated",
      { kind: "organization", id },
      { before: auditFields(before), after: auditFields(after) }
    )
    yield* appendEvent({ type: "broadcast_settings.updated" })
    return after
  }, transact)
)
