import { type DateTime, Effect, Option, Schema } from "effect"
import { type ValidationIssue, NotFound, requirePermissions, ValidationFailed } from "../../kernel/index.ts"
import { EmailAddressInput } from "../../platform/identity/index.ts"
import { type AttributeValue, parseQueryValue } from "../Attributes.ts"
import type { ConsentState } from "../Consent.ts"
import type { ContactExpansion } from "../Contact.ts"
import { ContactFields } from "../ContactFields.ts"
import type { ContactSort } from "../Contacts.ts"
import type { IdentityRef, SegmentId } from "../Identity.ts"
import { guessPhoneNumber } from "../PhoneNumber.ts"
import type { TagRef } from "../Tags.ts"
import { resolveTagRefs } from "../tagging.ts"
import { anyContact, type Filter, type FilterInput } from "./Filter.ts"
import { resolveFilter } from "./filterResolution.ts"

/** Request for a list of contacts; all given parts must match. A range includes `from` and excludes `to`. */
export interface ContactListRequest {
  readonly q?: string
  /** Phone number of the contact, in any notation. */
  readonly phone?: string
  /** Country of a national phone number. */
  readonly country?: string
  /** Email address of the contact, in any case. */
  readonly email?: string
  readonly tags?: ReadonlyArray<TagRef>
  /** `all`: contacts with every tag; `any` (default): with at least one. */
  readonly tagMatch?: "any" | "all"
  readonly consent?: ConsentState
  readonly createdFrom?: DateTime.Utc
  readonly createdTo?: DateTime.Utc
  readonly lastSeenFrom?: DateTime.Utc
  readonly lastSeenTo?: DateTime.Utc
  /** Values as texts, by the keys of custom fields. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly segment?: SegmentId
  readonly filter?: FilterInput
  readonly sort?: ContactSort
  /** Related resources to include. */
  readonly expand?: ReadonlyArray<ContactExpansion>
}

type IdentityQuery = Pick<ContactListRequest, "email" | "phone"> & { readonly country?: string | null }

const toAttributeFilters = Effect.fnUntraced(function* (asked: Readonly<Record<string, string>>) {
  const fields = yield* (yield* ContactFields).all()
  const faults: Array<ValidationIssue> = []
  const filters: Array<Filter> = []
  for (const [key, text] of Object.entries(asked)) {
    const pointer = `/attribute.${key}`
    const field = fields.find((field) => field.key === key && field.status === "active")
    const value: AttributeValue | null = field === undefined ? null : parseQueryValue(field, text)
    if (field === undefined) faults.push({ pointer, message: "There is no contact field with this key" })
    else if (value === null) faults.push({ pointer, message: `Expected a value of the type ${field.type}` })
    else filters.push({ kind: "attributeIs", key, anyOf: [value] })
  }
  return faults.length === 0 ? filters : yield* new ValidationFailed({ errors: faults })
})

/** Matches the contacts of a segment. Every error points to the request's `segment`. */
const segmentFilter = (segment: SegmentId) =>
  resolveFilter({ field: "segment", op: "in", value: segment }, "").pipe(
    Effect.catchTags({
      NotFound: ({ resource }) => new NotFound({ resource, pointer: "/segment" }),
      ValidationFailed: ({ errors }) =>
        new ValidationFailed({ errors: errors.map(({ message }) => ({ pointer: "/segment", message })) })
    })
  )

const decodeEmail = Schema.decodeUnknownOption(EmailAddressInput)

/** Resolves the identities of the requested phone number and email address. */
const resolveIdentities = Effect.fnUntraced(function* ({ country = null, email, phone }: IdentityQuery) {
  const faults: Array<ValidationIssue> = []
  const identities: Array<IdentityRef> = []
  if (phone !== undefined) {
    const number = guessPhoneNumber(phone, country)
    if (number === null) {
      const message =
        country === null
          ? "Expected a phone number with its country code, such as +49 170 1234567, or a phone number and a country"
          : `Expected a phone number of ${country}, or one with its country code`
      faults.push({ pointer: "/phone", message })
    } else identities.push({ kind: "phone", value: number })
  }
  if (email !== undefined) {
    const address = Option.getOrNull(decodeEmail(email))
    if (address === null) faults.push({ pointer: "/email", message: "Expected an e-mail address" })
    else identities.push({ kind: "email", value: address })
  }
  return faults.length === 0 ? identities : yield* new ValidationFailed({ errors: faults })
})

const isGiven = (part: unknown): boolean =>
  part !== undefined && (typeof part !== "object" || part === null || Object.keys(part).length > 0)

/** Builds the filter of a request for contacts. */
export const buildContactFilter = Effect.fnUntraced(function* (request: ContactListRequest) {
  const {
    attributes = {},
    consent,
    createdFrom,
    createdTo,
    filter,
    lastSeenFrom,
    lastSeenTo,
    segment,
    tags = []
  } = request
  // Apart from the filter, such a request can only contain fields of the contact itself.
  const { expand: _expand, filter: _filter, sort: _sort, ...others } = request
  if (Object.values(others).some(isGiven)) yield* requirePermissions(["contacts.read"])
  const identities = yield* resolveIdentities(request)
  const parts = identities.map((identity): Filter => ({ kind: "knownBy", identity }))
  const tagged = (yield* resolveTagRefs(tags, "/tag")).map((tag): Filter => ({ kind: "tagged", tag }))
  if (tagged.length > 0) parts.push({ kind: request.tagMatch ?? "any", of: tagged })
  if (consent !== undefined) parts.push({ kind: "consent", is: consent })
  if (createdFrom !== undefined) parts.push({ kind: "since", field: "createdAt", at: createdFrom })
  if (createdTo !== undefined) parts.push({ kind: "before", field: "createdAt", at: createdTo })
  if (lastSeenFrom !== undefined) parts.push({ kind: "since", field: "lastSeenAt", at: lastSeenFrom })
  if (lastSeenTo !== undefined) parts.push({ kind: "before", field: "lastSeenAt", at: lastSeenTo })
  if (Object.keys(attributes).length > 0) parts.push(...(yield* toAttributeFilters(attributes)))
  if (segment !== undefined) parts.push(yield* segmentFilter(segment))
  if (filter !== undefined) parts.push(yield* resolveFilter(filter, "/filter"))
  const [only] = parts
  return parts.length === 1 && only !== undefined
    ? only
    : parts.length === 0
      ? anyContact
      : ({ kind: "all", of: parts } as const)
})
