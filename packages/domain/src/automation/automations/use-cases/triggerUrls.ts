import { DateTime, Effect, Redacted } from "effect"
import { newWebhookSecret } from "../../../integrations/webhooks/index.ts"
import { asSystem, Locks, NotFound, requireReach, transact, useCase, Vault } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { MailSettings } from "../../../platform/mail/index.ts"
import { definitionOf } from "../Automation.ts"
import type { AutomationId } from "../AutomationId.ts"
import { Automations } from "../Automations.ts"
import { needsOfAutomations } from "../automationPermissions.ts"
import {
  IssuedTriggerUrl,
  type NewTriggerUrl,
  type StoredTriggerUrl,
  toTriggerUrl,
  triggerSecrets,
  TriggerUrls
} from "../triggerUrls/TriggerUrl.ts"
import { type ReceivedTriggerCall, receiveTriggerCall, unknownTrigger } from "../triggerUrls/receiveCall.ts"
import { newTriggerToken, organizationOfToken } from "../triggerUrls/triggerTokens.ts"

const findUrl = Effect.fnUntraced(function* (id: AutomationId) {
  return (yield* (yield* TriggerUrls).find(id)) ?? (yield* new NotFound({ resource: "trigger URL" }))
})

/** Creates the trigger URL of an automation, or replaces it. The earlier URL stops working with the commit. */
export const rotateTriggerUrl = useCase(
  {
    name: "automation.rotateTriggerUrl",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "automation",
    audit: "automation.trigger_url_rotated"
  },
  Effect.fnUntraced(function* ({ id, signed: chosen }: { readonly id: AutomationId } & NewTriggerUrl) {
    yield* (yield* Locks).exclusive("automations")
    const automation = yield* (yield* Automations).get(id)
    yield* requireReach(yield* needsOfAutomations([definitionOf(automation)]))
    const urls = yield* TriggerUrls
    // A rotation must not end the signature of an existing URL silently.
    const signed = chosen ?? ((yield* urls.find(id))?.sealedSecret ?? null) !== null
    const token = yield* newTriggerToken
    const signingSecret = signed ? yield* newWebhookSecret : null
    const stored: StoredTriggerUrl = {
      automationId: id,
      tokenDigest: yield* (yield* Vault).digest(token),
      sealedSecret: signingSecret === null ? null : yield* triggerSecrets.seal(id, signingSecret),
      createdAt: yield* DateTime.now
    }
    yield* urls.put(stored)
    yield* recordAudit("automation.trigger_url_rotated", { kind: "automation", id }, { after: { signed } })
    const { publicUrl } = yield* MailSettings
    const url = Redacted.make(`${publicUrl}/api/v1/automations/${id}/trigger/${Redacted.value(token)}`)
    return new IssuedTriggerUrl({ ...toTriggerUrl(stored), url, signingSecret })
  }, transact)
)

export const getTriggerUrl = useCase(
  { name: "automation.getTriggerUrl", access: { permission: "automations.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: AutomationId }) {
    return toTriggerUrl(yield* findUrl(id))
  })
)

/** Deletes the trigger URL of an automation. Calls of the URL fail with the commit. */
export const deleteTriggerUrl = useCase(
  {
    name: "automation.deleteTriggerUrl",
    access: { permission: "automations.manage" },
    feature: "automations",
    ungatedFor: "operators",
    actsThrough: "nothing",
    audit: "automation.trigger_url_deleted"
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: AutomationId }) {
    yield* (yield* Locks).exclusive("automations")
    const isRemoved = yield* (yield* TriggerUrls).remove(id)
    if (!isRemoved) return yield* new NotFound({ resource: "trigger URL" })
    yield* recordAudit("automation.trigger_url_deleted", { kind: "automation", id })
  }, transact)
)

/** Receives a call of a trigger URL. The token is the only credential. */
export const triggerAutomation = useCase(
  { name: "automation.trigger", access: "public", emits: ["automation.triggered"] },
  Effect.fnUntraced(function* (call: ReceivedTriggerCall) {
    const organizationId = organizationOfToken(call.token)
    if (organizationId === null) return yield* unknownTrigger()
    return yield* receiveTriggerCall(call).pipe(asSystem("automation triggers")(organizationId))
  })
)

/** Seals the current secret again. A concurrent rotation or deletion comes before or after. */
const resealTriggerSecret = Effect.fnUntraced(function* (id: AutomationId) {
  yield* (yield* Locks).exclusive("automations")
  const urls = yield* TriggerUrls
  const url = yield* urls.find(id)
  if (url === null || url.sealedSecret === null) return 0
  const secret = yield* triggerSecrets.open(id, url.sealedSecret)
  yield* urls.put({ ...url, sealedSecret: yield* triggerSecrets.seal(id, secret) })
  yield* recordAudit("automation.resealed", { kind: "automation", id })
  return 1
}, transact)

const pageSize = 100

/** Seals the signing secrets of the organization's trigger URLs with the newest master key. Returns their number. */
export const reencryptTriggerSecrets = useCase(
  { name: "automation.resealTriggerSecrets", access: "operator", audit: "automation.resealed" },
  Effect.fnUntraced(function* () {
    const urls = yield* TriggerUrls
    let sealed = 0
    let after: AutomationId | null = null
    for (;;) {
      const page: ReadonlyArray<StoredTriggerUrl> = yield* urls.signed(after, pageSize)
      for (const { automationId } of page) sealed += yield* resealTriggerSecret(automationId)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return sealed
      after = last.automationId
    }
  })
)
