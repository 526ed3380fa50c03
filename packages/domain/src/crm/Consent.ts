import { Equal, Schema } from "effect"
import { ActorRef, isWellFormed, textPatterns, Timestamp, Uuid, objectShownWith } from "../kernel/index.ts"
import { MultiLineText } from "../platform/identity/index.ts"
import { ContactId } from "./Identity.ts"

/** What a contact may agree to. */
export const ConsentPurpose = Schema.Literals(["marketing"])
export type ConsentPurpose = typeof ConsentPurpose.Type

/** Whether the contact has agreed. */
export const ConsentState = Schema.Literals(["subscribed", "unsubscribed", "unknown"])
export type ConsentState = typeof ConsentState.Type

const Source = Schema.String.check(
  isWellFormed,
  Schema.isPattern(textPatterns.printable, { message: "Expected one line of text" }),
  Schema.isBetweenCodePoints(1, 100, { message: "Expected 1 to 100 characters" })
)

/** What Parley itself gives as a source. Callers cannot, so that nobody else's word passes for the person's own. */
export const reservedSources = [
  "chat_keyword",
  "chat_preferences",
  "chat_refusal",
  "suppression_list",
  "duplicate",
  "not_duplicate"
] as const
export type ReservedSource = (typeof reservedSources)[number]

const SourceInput = Source.check(
  Schema.isPattern(new RegExp(`^(?!(?:${reservedSources.join("|")})$)`, "u"), {
    message: `Expected a source of your own: ${reservedSources.join(", ")} are given by Parley itself`
  })
)

const Evidence = MultiLineText.check(Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" }))

/** What the contact has said last about marketing, and where it was said. */
export const Consent = Schema.Struct({
  marketing: ConsentState,
  source: Schema.NullOr(Source),
  changedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Consent" })
export type Consent = typeof Consent.Type

/** Nobody has asked yet. */
export const noConsent: Consent = { marketing: "unknown", source: null, changedAt: null }

/** Compares consent by value, because a changed contact holds a copy of its earlier consent. */
export const hasConsentChanged = (before: Consent | null, after: Consent): boolean =>
  !Equal.equals(before ?? noConsent, after)

/** A change of consent as it is told. */
export const NewConsent = Schema.Struct({
  state: ConsentState,
  source: Schema.optionalKey(SourceInput).annotateKey({ description: "Where it was said; `api` if not given." }),
  evidence: Schema.optionalKey(Evidence).annotateKey({ description: "What proves it: a form, a message, a note." })
}).annotate({ identifier: "NewConsent" })
export type NewConsent = typeof NewConsent.Type

export const ConsentChangeId = Uuid.pipe(Schema.brand("ConsentChangeId"))
export type ConsentChangeId = typeof ConsentChangeId.Type

/** One entry of the ledger of consent. The ledger only grows. */
export class ConsentChange extends Schema.Class<ConsentChange>("ConsentChange")(
  {
    id: ConsentChangeId,
    contactId: ContactId,
    purpose: ConsentPurpose,
    state: ConsentState,
    source: Source,
    evidence: Schema.NullOr(Evidence),
    actor: ActorRef,
    at: Timestamp
  },
  objectShownWith("contacts.read")
) {}
