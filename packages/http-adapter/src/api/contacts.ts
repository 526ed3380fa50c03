import {
  BulkRequest,
  BulkResult,
  ConsentState,
  Contact,
  ContactByPhone,
  ContactCount,
  ContactExpansion,
  ContactExport,
  ContactId,
  ContactMergeId,
  ContactPatch,
  ContactSort,
  Country,
  Duplicate,
  ExpandedContact,
  FilterInput,
  Job,
  ContactMergeResult,
  NewContact,
  Page,
  PhoneNumberInput,
  MultiLineText,
  SegmentId,
  TagIds,
  TagRef,
  TimelineEntry,
  Timestamp,
  ContactUnmergeResult
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { expandOf, idOf, IfMatch, jsonText, PageQuery } from "./shapes.ts"

const SomeTags = TagIds.check(Schema.isMinLength(1, { message: "Expected at least one tag" }))

const FilterText = jsonText(
  Schema.String.check(Schema.isMaxCodePoints(8_192, { message: "Expected at most 8192 characters" })),
  FilterInput
)

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** Contact fields are the organization's own: each is a parameter, `attribute.` and its key. */
const ByAttribute = Schema.Record(
  Schema.TemplateLiteral(["attribute.", Schema.String]),
  MultiLineText.check(Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" })).annotate({
    description: "The value that the contact field has, written as text: `attribute.city=Lisbon`, `attribute.vip=true`."
  })
)

const expand = expandOf(ContactExpansion)

/** What a list of contacts may be asked for. */
export const ContactsQuery = Schema.StructWithRest(
  Schema.Struct({
    ...PageQuery,
    q: Schema.optionalKey(
      Schema.String.check(Schema.isMaxCodePoints(200, { message: "Expected at most 200 characters" }))
    ).annotateKey({
      description:
        "Words, or part of one, of a name, a phone number or an e-mail address. Case and accents make no difference. Those whose names differ by typing errors come last."
    }),
    phone: Schema.optionalKey(
      Schema.String.check(Schema.isMaxCodePoints(64, { message: "Expected at most 64 characters" }))
    ).annotateKey({
      description:
        "Only the contact with this phone number, in any spelling: `+49 170 1234567`, `0049170-1234567`, `491701234567`, or as it is dialled within the `country`. Nobody has it: an empty page."
    }),
    country: Schema.optionalKey(Country).annotateKey({
      description: "The country of a `phone` that is written without its country code, such as DE."
    }),
    email: Schema.optionalKey(
      Schema.String.check(Schema.isMaxCodePoints(300, { message: "Expected at most 300 characters" }))
    ).annotateKey({
      description:
        "Only the contact with this e-mail address; capital letters and spaces around it do not matter. Nobody has it: an empty page."
    }),
    tag: Schema.optionalKey(
      Schema.Array(TagRef).check(
        Schema.isBetweenLength(1, 50, { message: "Expected 1 to 50 tags" }),
        Schema.isUnique({ message: "Expected each tag once" })
      )
    ).annotateKey({
      description:
        "Only contacts with this tag: its id, or its name in any case. May be repeated. A tag that there is not is 404 `not_found`."
    }),
    tagMatch: Schema.optionalKey(Schema.Literals(["any", "all"])).annotateKey({
      description: "Whether contacts need `any` or `all` of the tags; any if not said."
    }),
    consent: Schema.optionalKey(ConsentState).annotateKey({
      description: "Only contacts with this consent to marketing."
    }),
    createdFrom: time("Only contacts added at this time or later."),
    createdTo: time("Only contacts added before this time."),
    lastSeenFrom: time("Only contacts seen last at this time or later."),
    lastSeenTo: time("Only contacts seen last before this time."),
    segment: Schema.optionalKey(SegmentId).annotateKey({ description: "Only contacts in this segment." }),
    filter: Schema.optionalKey(FilterText).annotateKey({
      description: 'A filter as JSON, such as `{"field":"email","op":"is_set"}`; segments are made of the same.'
    }),
    sort: Schema.optionalKey(ContactSort).annotateKey({
      description: "The order; a minus is for descending. `-createdAt` if not said."
    }),
    expand
  }),
  [ByAttribute]
)
export type ContactsQuery = typeof ContactsQuery.Type

const { cursor: _cursor, expand: _expand, limit: _limit, sort: _sort, ...asked } = ContactsQuery.schema.fields

/** What a list of contacts is asked for, without its pages and its order. */
export const ContactsAsked = Schema.StructWithRest(Schema.Struct(asked), ContactsQuery.records)
export type ContactsAsked = typeof ContactsAsked.Type

const contact = idOf(ContactId, "contact")

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

/** Contacts: the people whom the organization writes to or sells to. */
export class ContactsApi extends HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/contacts", {
      query: ContactsQuery,
      success: Page(ExpandedContact),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listContacts",
        "List and search contacts",
        "Everything that is asked for must hold. Custom fields are asked for by parameters of their own, `attribute.` and the key of the field: `?attribute.city=Lisbon&attribute.vip=true`."
      )
    ),
    HttpApiEndpoint.get("count", "/contacts/count", {
      query: ContactsAsked,
      success: ContactCount,
      error: read
    }).annotateMerge(
      describe(
        "countContacts",
        "Count contacts",
        "How many a list would give that is asked for the same, over all of its pages. A count that takes the service too long is 503 `service_unavailable`: ask for less."
      )
    ),
    HttpApiEndpoint.post("create", "/contacts", {
      payload: NewContact,
      success: Contact.pipe(HttpApiSchema.status(201)),
      error: [...read, Problems.ContactExists, Problems.ContactOptedOut, Problems.PlanLimitReached]
    })
      .annotateMerge(
        describe(
          "createContact",
          "Add a contact",
          "Needs a name or something that the contact is known by. No two contacts have the same phone number, e-mail address or other identity, however it is written."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/contacts/:id", {
      params: contact,
      query: { expand },
      success: ExpandedContact,
      error: read
    }).annotateMerge(describe("getContact", "Read a contact")),
    HttpApiEndpoint.patch("update", "/contacts/:id", {
      params: contact,
      headers: IfMatch,
      payload: ContactPatch,
      success: Contact,
      error: [...changed, Problems.ContactExists, Problems.ContactOptedOut]
    }).annotateMerge(
      describe(
        "updateContact",
        "Change a contact",
        "`null` clears a field. Attributes and identities that are not named stay as they are."
      )
    ),
    HttpApiEndpoint.delete("delete", "/contacts/:id", {
      params: contact,
      headers: IfMatch,
      query: {
        erase: Schema.optionalKey(Schema.Boolean).annotateKey({
          description:
            "Whether the person is forgotten for good, also in the audit trail, and also if the contact was deleted before. Needs the permission contacts.erase."
        })
      },
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(
      describe(
        "deleteContact",
        "Delete or erase a contact",
        "What the contact has said about marketing is kept as proof, unless the contact is erased. An opt-out counts for whoever comes with the same identities, also after that: only digests of them are kept for it."
      )
    ),
    HttpApiEndpoint.put("upsertByPhone", "/contacts/by-phone/:phone", {
      params: {
        phone: PhoneNumberInput.pipe(
          Schema.annotateKey({ description: "The phone number with its country code, however it is written." })
        )
      },
      payload: ContactByPhone,
      success: [Contact.pipe(HttpApiSchema.status(201)), Contact],
      error: [
        ...read,
        Problems.VersionConflict,
        Problems.ContactExists,
        Problems.ContactOptedOut,
        Problems.PlanLimitReached
      ]
    }).annotateMerge(
      describe(
        "upsertContactByPhone",
        "Add or change the contact with a phone number",
        "Answers 201 if the contact is new and 200 if it was known. Tags are added; attributes that are not named stay."
      )
    ),
    HttpApiEndpoint.post("tag", "/contacts/:id/tags", {
      params: contact,
      payload: Schema.Struct({ tags: SomeTags }).annotate({ identifier: "TagsToAdd" }),
      success: Contact,
      error: read
    })
      .annotateMerge(describe("tagContact", "Put tags on a contact"))
      .middleware(Idempotent),
    HttpApiEndpoint.delete("untag", "/contacts/:id/tags", {
      params: contact,
      query: { tag: SomeTags.pipe(Schema.annotateKey({ description: "The tag to take off; may be repeated." })) },
      success: Contact,
      error: read
    }).annotateMerge(describe("untagContact", "Take tags off a contact")),
    HttpApiEndpoint.post("bulk", "/contacts/bulk", {
      payload: BulkRequest,
      success: [BulkResult, Job.pipe(HttpApiSchema.status(202))],
      error: read
    })
      .annotateMerge(
        describe(
          "changeContacts",
          "Change many contacts",
          "Up to 1000 contacts by their ids are changed at once. All that a filter matches are changed by a job, which the answer names."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("merge", "/contacts/:id/merge", {
      params: contact,
      headers: IfMatch,
      payload: Schema.Struct({
        contactId: ContactId.pipe(
          Schema.annotateKey({ description: "The other contact, whose everything goes to this one." })
        )
      }).annotate({ identifier: "ContactToMerge" }),
      success: ContactMergeResult,
      error: [...changed, Problems.ContactExists]
    })
      .annotateMerge(
        describe(
          "mergeContacts",
          "Merge another contact into this one",
          "Nothing is lost: where the two differ, this one's fields count, and an unsubscription of either stands. The answer names the merge, by which it can be undone."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("unmerge", "/contacts/:id/unmerge", {
      params: contact,
      headers: IfMatch,
      payload: Schema.Struct({
        mergeId: ContactMergeId.pipe(Schema.annotateKey({ description: "The merge to undo." }))
      }).annotate({ identifier: "MergeToUndo" }),
      success: ContactUnmergeResult,
      error: [...changed, Problems.ContactExists, Problems.MergeUndone, Problems.PlanLimitReached]
    })
      .annotateMerge(
        describe(
          "unmergeContacts",
          "Undo a merge of two contacts",
          "The other contact comes back as it was, with all that had happened with it. What happened since stays with this one."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("listDuplicates", "/contacts/:id/duplicates", {
      params: contact,
      query: PageQuery,
      success: Page(Duplicate),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listContactDuplicates",
        "List who may be the same person",
        "Contacts whose identities the chat provider or a file gave together with this one's, as those of one person, and that were not merged automatically; newest first, one entry for each pair of identities. Merge the two contacts, or dismiss the duplicate. Until then an opt-out of either counts for both."
      )
    ),
    HttpApiEndpoint.delete("dismissDuplicate", "/contacts/:id/duplicates/:otherId", {
      params: {
        ...contact,
        otherId: ContactId.pipe(Schema.annotateKey({ description: "The id of the other contact." }))
      },
      success: HttpApiSchema.NoContent,
      error: read
    }).annotateMerge(
      describe(
        "dismissContactDuplicate",
        "Say that two contacts are two people",
        "The pairs of identities known so far are not proposed again. An opt-out that only came from the other contact is withdrawn."
      )
    ),
    HttpApiEndpoint.get("timeline", "/contacts/:id/timeline", {
      params: contact,
      query: PageQuery,
      success: Page(TimelineEntry),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "readContactTimeline",
        "Read what happened with a contact",
        "Newest first: changes of consent, blocks, merges, and what was written and noted in the contact's conversations. Who may not read conversations gets it without them."
      )
    ),
    HttpApiEndpoint.get("exportOne", "/contacts/:id/export", {
      params: contact,
      success: ContactExport,
      error: read
    }).annotateMerge(
      describe(
        "exportContact",
        "Read everything that is known of a person",
        "For the person's own request, with all that was written with them; the bytes of files are read under their `url`. `complete` is false if there are more than 10000 entries of a kind, or if the caller may not read conversations: then they are left out. That it was read stands in the audit trail."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Contacts", "Everybody whom the organization writes with: who they are, what they agreed to, what happened.")
  ) {}
