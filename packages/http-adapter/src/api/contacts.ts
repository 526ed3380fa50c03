import { Page } from "@parley/domain/kernel"
import { Job } from "@parley/domain/platform"
import {
  BulkRequest,
  BulkResult,
  Contact,
  ContactByPhone,
  ContactCount,
  ContactId,
  ContactMergeId,
  ContactPatch,
  Duplicate,
  ExpandedContact,
  ContactMergeResult,
  NewContact,
  PhoneNumberInput,
  TagIds,
  ContactUnmergeResult
} from "@parley/domain/crm"
import { ContactRun } from "@parley/domain/automation"
import { ContactExport, TimelineEntry } from "@parley/domain/composition"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ContactsAsked, ContactsQuery, expand } from "./contactsQuery.ts"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const SomeTags = TagIds.check(Schema.isMinLength(1, { message: "Expected at least one tag" }))

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
        "Contacts must match all given parameters. A custom field has its own parameter, `attribute.` and the key of the field: `?attribute.city=Lisbon&attribute.vip=true`."
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
        "Number of contacts of a list with the same parameters, over all pages. A count that takes too long is 503 `service_unavailable`: use fewer conditions."
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
          "Create a contact",
          "Needs a name or an identity. A phone number, an e-mail address or another identity belongs to one contact only, in any spelling."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/contacts/:id", {
      params: contact,
      query: { expand },
      success: ExpandedContact,
      error: read
    }).annotateMerge(describe("getContact", "Get a contact")),
    HttpApiEndpoint.patch("update", "/contacts/:id", {
      params: contact,
      headers: IfMatch,
      payload: ContactPatch,
      success: Contact,
      error: [...changed, Problems.ContactExists, Problems.ContactOptedOut]
    }).annotateMerge(
      describe(
        "updateContact",
        "Update a contact",
        "`null` clears a field. Attributes and identities that are not given stay the same."
      )
    ),
    HttpApiEndpoint.delete("delete", "/contacts/:id", {
      params: contact,
      headers: IfMatch,
      query: {
        erase: Schema.optionalKey(Schema.Boolean).annotateKey({
          description:
            "Whether the personal data is erased permanently, including the audit trail, even if the contact was deleted before. Needs the permission contacts.erase."
        })
      },
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(
      describe(
        "deleteContact",
        "Delete or erase a contact",
        "The consent history stays as proof, unless the contact is erased. An opt-out also applies to later contacts with the same identities: only digests of them are stored for it."
      )
    ),
    HttpApiEndpoint.put("upsertByPhone", "/contacts/by-phone/:phone", {
      params: {
        phone: PhoneNumberInput.pipe(
          Schema.annotateKey({ description: "Phone number with its country code, in any spelling." })
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
        "Create or update a contact by phone",
        "Answers 201 for a new contact and 200 for an existing one. Tags are added; attributes that are not given stay the same."
      )
    ),
    HttpApiEndpoint.post("tag", "/contacts/:id/tags", {
      params: contact,
      payload: Schema.Struct({ tags: SomeTags }).annotate({ identifier: "TagsToAdd" }),
      success: Contact,
      error: read
    })
      .annotateMerge(describe("tagContact", "Add tags to a contact"))
      .middleware(Idempotent),
    HttpApiEndpoint.delete("untag", "/contacts/:id/tags", {
      params: contact,
      query: { tag: SomeTags.pipe(Schema.annotateKey({ description: "Tag to remove; can be repeated." })) },
      success: Contact,
      error: read
    }).annotateMerge(describe("untagContact", "Remove tags from a contact")),
    HttpApiEndpoint.post("bulk", "/contacts/bulk", {
      payload: BulkRequest,
      success: [BulkResult, Job.pipe(HttpApiSchema.status(202))],
      error: read
    })
      .annotateMerge(
        describe(
          "changeContacts",
          "Change many contacts",
          "Adds or removes tags, sets the marketing consent, or deletes contacts. Up to 1000 contacts with given ids are changed immediately. Contacts that match a filter are changed by the job in the answer."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("merge", "/contacts/:id/merge", {
      params: contact,
      headers: IfMatch,
      payload: Schema.Struct({
        contactId: ContactId.pipe(Schema.annotateKey({ description: "Contact to merge into this one." }))
      }).annotate({ identifier: "ContactToMerge" }),
      success: ContactMergeResult,
      error: [...changed, Problems.ContactExists]
    })
      .annotateMerge(
        describe(
          "mergeContacts",
          "Merge two contacts",
          "Merges another contact into this one. No data is lost. If fields differ, those of this contact apply; an opt-out of either contact stays. The answer contains the merge, which can be undone."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("unmerge", "/contacts/:id/unmerge", {
      params: contact,
      headers: IfMatch,
      payload: Schema.Struct({
        mergeId: ContactMergeId.pipe(Schema.annotateKey({ description: "Merge to undo." }))
      }).annotate({ identifier: "MergeToUndo" }),
      success: ContactUnmergeResult,
      error: [...changed, Problems.ContactExists, Problems.MergeUndone, Problems.PlanLimitReached]
    })
      .annotateMerge(
        describe(
          "unmergeContacts",
          "Undo a merge",
          "Restores the other contact with all its earlier data. Later data stays with this contact."
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
        "List possible duplicates of a contact",
        "Contacts whose identities the chat provider or a file assigned to the same person, and that were not merged automatically. Newest first, one entry per pair of identities. Merge the two contacts, or dismiss the duplicate. Until then an opt-out of either contact applies to both."
      )
    ),
    HttpApiEndpoint.delete("dismissDuplicate", "/contacts/:id/duplicates/:otherId", {
      params: {
        ...contact,
        otherId: ContactId.pipe(Schema.annotateKey({ description: "Id of the other contact." }))
      },
      success: HttpApiSchema.NoContent,
      error: read
    }).annotateMerge(
      describe(
        "dismissContactDuplicate",
        "Dismiss a duplicate",
        "The known pairs of identities are not proposed again. An opt-out that only came from the other contact is withdrawn."
      )
    ),
    HttpApiEndpoint.get("timeline", "/contacts/:id/timeline", {
      params: contact,
      query: PageQuery,
      success: Page(TimelineEntry),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "getContactTimeline",
        "Get the timeline of a contact",
        "Newest first: changes of consent, blocks, merges, messages and notes in the conversations of the contact, and runs of automations and workflows. Callers without a permission such as `conversations.read` do not get its entries."
      )
    ),
    HttpApiEndpoint.get("listRuns", "/contacts/:id/runs", {
      params: contact,
      query: PageQuery,
      success: Page(ContactRun),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listContactRuns",
        "List the runs for a contact",
        "Runs of automations and workflows, newest first: the event that started each, its conditions, and its results. Runs without matching conditions are left out. Callers need `automations.read` or `workflows.read`, and get the runs of these kinds."
      )
    ),
    HttpApiEndpoint.get("exportOne", "/contacts/:id/export", {
      params: contact,
      success: ContactExport,
      error: read
    }).annotateMerge(
      describe(
        "exportContact",
        "Export the data of a contact",
        "All data about the person, for a request of that person, including messages. Files are available at their `url`. `complete` is false if there are more than 10000 entries of a kind, or if the caller cannot read conversations: then they are left out. The export is recorded in the audit trail."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Contacts", "People who exchange messages with the organization: their identities, consent and history.")
  ) {}
