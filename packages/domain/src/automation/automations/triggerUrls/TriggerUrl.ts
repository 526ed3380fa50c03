import { Context, type DateTime, type Effect, Schema } from "effect"
import { defineSealedField, type TenantScoped, Timestamp, type Transaction } from "../../../kernel/index.ts"
import { AutomationId } from "../AutomationId.ts"

/** URL that starts an automation. It contains a token, which is never stored. */
export class TriggerUrl extends Schema.Class<TriggerUrl>("TriggerUrl")({
  automationId: AutomationId,
  signed: Schema.Boolean.annotateKey({ description: "Whether each call needs a signature." }),
  createdAt: Timestamp.annotateKey({ description: "Time of the last rotation." })
}) {}

export const NewTriggerUrl = Schema.Struct({
  signed: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether each call needs a signature. Default: as before the rotation; false for the first URL."
  })
}).annotate({ identifier: "NewTriggerUrl" })
export type NewTriggerUrl = typeof NewTriggerUrl.Type

/** New trigger URL with its secrets, which are shown once. */
export class IssuedTriggerUrl extends Schema.Class<IssuedTriggerUrl>("IssuedTriggerUrl")({
  ...TriggerUrl.fields,
  url: Schema.RedactedFromValue(Schema.String).annotateKey({
    description: "URL for calls. It contains the token and is shown once."
  }),
  signingSecret: Schema.NullOr(Schema.RedactedFromValue(Schema.String)).annotateKey({
    description: "Secret for the signatures, shown once. Null if calls need no signature."
  })
}) {}

/** Trigger URL as stored. */
export interface StoredTriggerUrl {
  readonly automationId: AutomationId
  readonly tokenDigest: string
  /** `null` if calls need no signature. */
  readonly sealedSecret: string | null
  readonly createdAt: DateTime.Utc
}

/** Trigger URLs of the organization, at most one for each automation. They are deleted with their automation. */
export class TriggerUrls extends Context.Service<
  TriggerUrls,
  TenantScoped<{
    readonly find: (id: AutomationId) => Effect.Effect<StoredTriggerUrl | null>
    /** Stores the URL of an existing automation, and replaces its earlier one. */
    readonly put: (url: StoredTriggerUrl) => Effect.Effect<void, never, Transaction>
    /** Returns whether the URL existed. */
    readonly remove: (id: AutomationId) => Effect.Effect<boolean, never, Transaction>
    /** URLs with a signing secret, by automation id, after this id. */
    readonly signed: (after: AutomationId | null, limit: number) => Effect.Effect<ReadonlyArray<StoredTriggerUrl>>
  }>
>()("@parley/domain/automation/automations/TriggerUrls") {}

export const triggerSecrets = defineSealedField("automation", "trigger_secret", {
  kind: "never_sent",
  reason: "Calls are verified with it. Only the caller who rotates the URL reads it, once."
})

export const toTriggerUrl = ({ automationId, createdAt, sealedSecret }: StoredTriggerUrl) =>
  new TriggerUrl({ automationId, signed: sealedSecret !== null, createdAt })
