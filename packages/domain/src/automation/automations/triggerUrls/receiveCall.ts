import { DateTime, Effect, type Redacted } from "effect"
import { Contacts, currentContactId, type IdentityRef } from "../../../crm/index.ts"
import { Ids, nextId, NotFound, transact, Vault } from "../../../kernel/index.ts"
import type { AutomationId } from "../AutomationId.ts"
import { holdReason } from "../AutomationSettings.ts"
import { Automations } from "../Automations.ts"
import { TriggerSignatureInvalid } from "../errors.ts"
import { appendEvent } from "../events.ts"
import {
  type IgnoredCall,
  TriggerCallId,
  type TriggerCallInput,
  TriggerCalls,
  type TriggerContact,
  TriggerReceipt
} from "./TriggerCalls.ts"
import { type StoredTriggerUrl, triggerSecrets, TriggerUrls } from "./TriggerUrl.ts"
import { type SignatureHeaders, signedCallId } from "./triggerSignatures.ts"

/** Call of a trigger URL. */
export interface ReceivedTriggerCall extends TriggerCallInput {
  readonly id: AutomationId
  readonly token: Redacted.Redacted
  readonly headers: SignatureHeaders
  /** Text of the request body, which the signature covers. */
  readonly text: string
}

/** The same error for a wrong token and an unknown automation. */
export const unknownTrigger = () => new NotFound({ resource: "automation" })

/** Finds the URL of a call. Compares digests, because the duration then reveals nothing about the token. */
const findTriggerUrl = Effect.fnUntraced(function* ({ id, token }: ReceivedTriggerCall) {
  const url = yield* (yield* TriggerUrls).find(id)
  const presented = yield* (yield* Vault).digest(token)
  const known = url?.tokenDigest ?? null
  return url !== null && known === presented ? url : yield* unknownTrigger()
})

const visibleAscii = /^[\x21-\x7e]{1,255}$/u

/** Text that identifies repeated calls; `null` if each call is a new one. */
const repeatKeyOf = Effect.fnUntraced(function* (
  { automationId, sealedSecret }: StoredTriggerUrl,
  { headers, text }: ReceivedTriggerCall
) {
  if (sealedSecret !== null) {
    const secret = yield* triggerSecrets.open(automationId, sealedSecret)
    const messageId = yield* signedCallId(secret, headers, text)
    return messageId === null ? yield* new TriggerSignatureInvalid() : `trigger call ${messageId}`
  }
  const key = headers["idempotency-key"]
  return key !== undefined && visibleAscii.test(key) ? `trigger key ${key}` : null
})

/** Id of the call. It is derived after the token and the signature are checked, so a key never bypasses them. */
const callIdOf = Effect.fnUntraced(function* (url: StoredTriggerUrl, call: ReceivedTriggerCall) {
  const key = yield* repeatKeyOf(url, call)
  return key === null
    ? yield* nextId(TriggerCallId)
    : TriggerCallId.make(yield* (yield* Ids).derived(url.automationId, key))
})

const identityOf = ({ email, phone }: TriggerContact): IdentityRef | null => {
  if (phone !== undefined) return { kind: "phone", value: phone }
  return email === undefined ? null : { kind: "email", value: email }
}

const missingContact = ({ email, phone }: TriggerContact) => {
  if (phone !== undefined) return new NotFound({ resource: "contact", pointer: "/contact/phone", by: "phone number" })
  if (email !== undefined) return new NotFound({ resource: "contact", pointer: "/contact/email", by: "email address" })
  return new NotFound({ resource: "contact", pointer: "/contact/id" })
}

/** Finds the contact of a call. A merged contact resolves to the surviving one. */
const findContact = Effect.fnUntraced(function* (named: TriggerContact) {
  const contacts = yield* Contacts
  const identity = identityOf(named)
  if (identity !== null) {
    const [contact] = yield* contacts.findByIdentity([identity])
    return contact ?? (yield* missingContact(named))
  }
  if (named.id === undefined) return yield* missingContact(named)
  const [own] = yield* contacts.find([named.id])
  if (own !== undefined) return own
  const whole = yield* currentContactId(named.id)
  const [survivor] = whole === null ? [] : yield* contacts.find([whole])
  return survivor ?? (yield* missingContact(named))
})

/** Reason why the automation starts no run for any contact. */
const inactiveBecause = Effect.fnUntraced(function* (id: AutomationId) {
  const hold: IgnoredCall | null = yield* holdReason
  if (hold !== null) return hold
  const { enabled, when } = yield* (yield* Automations).get(id)
  if (when?.event !== "webhook.received") return "other_event" as const
  return enabled ? null : ("automation_disabled" as const)
})

const ignored = (reason: IgnoredCall) => new TriggerReceipt({ callId: null, ignored: reason })

/** Stores a call with a valid token, and appends the event that starts the run. */
export const receiveTriggerCall = Effect.fnUntraced(function* (call: ReceivedTriggerCall) {
  const url = yield* findTriggerUrl(call)
  const callId = yield* callIdOf(url, call)
  // Before the contact is searched, so an inactive automation reveals nothing about contacts.
  const inactive = yield* inactiveBecause(url.automationId)
  if (inactive !== null) return ignored(inactive)
  const contact = yield* findContact(call.contact)
  if (contact.blockedAt !== null) return ignored("contact_blocked")
  const { automationId } = url
  const [contactId, at] = [contact.id, yield* DateTime.now]
  const isNew = yield* (yield* TriggerCalls).add({ id: callId, automationId, contactId, data: call.data ?? {}, at })
  if (!isNew) return new TriggerReceipt({ callId, ignored: "repeated" })
  yield* appendEvent({ type: "automation.triggered", automationId, contactId, callId })
  return new TriggerReceipt({ callId, ignored: null })
}, transact)
