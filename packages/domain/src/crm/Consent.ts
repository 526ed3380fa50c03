import { Equal, Schema } from "effect"
import { ActorRef, isWellFormed, textPatterns, Timestamp, Uuid, objectShownWith } from "../kernel/index.ts"
import { MultiLineText } from "../platform/identity/index.ts"
import { ContactId } from "./Identity.ts"

/** Purposes that a contact can consent to. */
export const ConsentPurpose = Schema.Literals(["marketing"])
export type ConsentPurpose = typeof ConsentPurpose.Type

export const ConsentState = Schema.Literals(["subscribed", "unsubscribed", "unknown"])
export type ConsentState = typeof ConsentState.Type

const Source = Schema.String.check(
  isWellFormed,
  Schema.isPattern(textPatterns.printable, { message: "Expected one line of text" }),
  Schema.isBetweenCodePoints(1, 100, { message: "Expected 1 to 100 characters" })
)

/** Sources that only Parley sets. Callers cannot set them, to prevent false declarations in the person's name. */
export const reservedSources = [
  "chat_keyword",
  "chat_preferences",
  "chat_refusal",
  "suppression_list",
  "duplicate",
  "not_duplicate"
] as const
export type ReservedSource = (typeof reservedSources)[number]

/** Source that callers can set. */
export const ConsentSource = Source.check(
  Schema.isPattern(new RegExp(`^(?!(?:${reservedSources.join("|")})$)`, "u"), {
    message: `Expected your own source: ${reservedSources.join(", ")} are reserved for Parley`
  })
)

/** Proof of a declaration: a form, a message, a note. */
export const ConsentEvidence = MultiLineText.check(
  Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" })
)

/** Latest marketing consent of the contact, with its source. */
export const Consent = Schema.Struct({
  marketing: ConsentState,
  source: Schema.NullOr(Source),
  changedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Consent" })
export type Consent = typeof Consent.Type

/** Consent of a contact without any declaration. */
export const noConsent: Consent = { marketing: "unknown", source: null, changedAt: null }

/** Compares consent by value, because a changed contact holds a copy of its earlier consent. */
export const hasConsentChanged = (before: Consent | null, after: Consent): boolean =>
  !Equal.equals(before ?? noConsent, after)

/** Declared change of consent. */
export const NewConsent = Schema.Struct({
  state: ConsentState,
  source: Schema.optionalKey(ConsentSource).annotateKey({ description: "Origin of the declaration. Default: `api`." }),
  evidence: Schema.optionalKey(ConsentEvidence).annotateKey({ description: "Proof: a form, a message, a note." })
}).annotate({ identifier: "NewConsent" })
export type NewConsent = typeof NewConsent.Type

/** Run of the automation or workflow that declared a consent. */
export const consentRunId = Schema.optionalKey(Uuid).annotateKey({
  description: "Run of the automation or workflow that changed the consent; absent for other actors."
})

export const ConsentChangeId = Uuid.pipe(Schema.brand("ConsentChangeId"))
export type ConsentChangeId = typeof ConsentChangeId.Type

/** Entry of the consent ledger. The ledger is append-only. */
export class ConsentChange extends Schema.Class<ConsentChange>("ConsentChange")(
  {
    id: ConsentChangeId,
    contactId: ContactId,
    purpose: ConsentPurpose,
    state: ConsentState,
    source: Source,
    evidence: Schema.NullOr(ConsentEvidence),
    actor: ActorRef,
    runId: consentRunId,
    at: Timestamp
  },
  objectShownWith("contacts.read")
) {}
