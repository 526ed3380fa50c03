import { Timestamp } from "@parley/domain/kernel"
import { MultiLineText } from "@parley/domain/platform"
import {
  ConsentState,
  ContactExpansion,
  ContactSort,
  Country,
  FilterInput,
  SegmentId,
  TagRef
} from "@parley/domain/crm"
import { Schema } from "effect"
import { expandOf, jsonText, PageQuery } from "./shapes.ts"

const FilterText = jsonText(
  Schema.String.check(Schema.isMaxCodePoints(8_192, { message: "Expected at most 8192 characters" })),
  FilterInput
)

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** Contact fields are the organization's own: each is a parameter, `attribute.` and its key. */
const ByAttribute = Schema.Record(
  Schema.TemplateLiteral(["attribute.", Schema.String]),
  MultiLineText.check(Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" })).annotate({
    description: "Value of the contact field as text: `attribute.city=Lisbon`, `attribute.vip=true`."
  })
)

/** Parts of a contact that an answer can contain. */
export const expand = expandOf(ContactExpansion)

/** Parameters of a list of contacts. */
export const ContactsQuery = Schema.StructWithRest(
  Schema.Struct({
    ...PageQuery,
    q: Schema.optionalKey(
      Schema.String.check(Schema.isMaxCodePoints(200, { message: "Expected at most 200 characters" }))
    ).annotateKey({
      description:
        "Words or parts of words of a name, a phone number or an e-mail address, ignoring case and accents. Names with typos are listed last."
    }),
    phone: Schema.optionalKey(
      Schema.String.check(Schema.isMaxCodePoints(64, { message: "Expected at most 64 characters" }))
    ).annotateKey({
      description:
        "Only the contact with this phone number, in any spelling: `+49 170 1234567`, `0049170-1234567`, `491701234567`, or as it is dialled within the `country`. The page is empty if no contact has it."
    }),
    country: Schema.optionalKey(Country).annotateKey({
      description: "Country of a `phone` without a country code, for example DE."
    }),
    email: Schema.optionalKey(
      Schema.String.check(Schema.isMaxCodePoints(300, { message: "Expected at most 300 characters" }))
    ).annotateKey({
      description:
        "Only the contact with this e-mail address, ignoring case and surrounding spaces. The page is empty if no contact has it."
    }),
    tag: Schema.optionalKey(
      Schema.Array(TagRef).check(
        Schema.isBetweenLength(1, 50, { message: "Expected 1 to 50 tags" }),
        Schema.isUnique({ message: "Expected each tag once" })
      )
    ).annotateKey({
      description:
        "Only contacts with this tag: its id, or its name in any case. Can be repeated. A missing tag is 404 `not_found`."
    }),
    tagMatch: Schema.optionalKey(Schema.Literals(["any", "all"])).annotateKey({
      description: "Whether contacts need `any` or `all` of the tags. Default: `any`."
    }),
    consent: Schema.optionalKey(ConsentState).annotateKey({
      description: "Only contacts with this consent to marketing."
    }),
    createdFrom: time("Only contacts created at this time or later."),
    createdTo: time("Only contacts created before this time."),
    lastSeenFrom: time("Only contacts last seen at this time or later."),
    lastSeenTo: time("Only contacts last seen before this time."),
    segment: Schema.optionalKey(SegmentId).annotateKey({ description: "Only contacts in this segment." }),
    filter: Schema.optionalKey(FilterText).annotateKey({
      description: 'A filter as JSON, for example `{"field":"email","op":"is_set"}`; segments use the same filters.'
    }),
    sort: Schema.optionalKey(ContactSort).annotateKey({
      description: "Sort order; a minus is descending. Default: `-createdAt`."
    }),
    expand
  }),
  [ByAttribute]
)
export type ContactsQuery = typeof ContactsQuery.Type

const { cursor: _cursor, expand: _expand, limit: _limit, sort: _sort, ...asked } = ContactsQuery.schema.fields

/** Filters of a list of contacts, without page and order. */
export const ContactsAsked = Schema.StructWithRest(Schema.Struct(asked), ContactsQuery.records)
export type ContactsAsked = typeof ContactsAsked.Type
