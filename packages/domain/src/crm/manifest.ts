import { defineArea, seenWith } from "../kernel/index.ts"
import { CrmEvent } from "./Events.ts"
import { crmStorage } from "./Storage.ts"
import { changeContactsJob } from "./bulk/changeContactsJob.ts"
import { listKeys } from "./consent/suppressionList.ts"
import { contactUse } from "./usage.ts"
import { crmReactions } from "./Reactions.ts"
import { crmWorks } from "./work.ts"
import { deleteContactFieldJob } from "./fields/deleteContactFieldJob.ts"
import { importContactsJob } from "./imports/importContactsJob.ts"
import { mergeTagsJob } from "./tags/mergeTagsJob.ts"
import { crmResources } from "./eventResources.ts"

/** What this area says of itself. */
export const crmArea = defineArea({
  name: "crm",
  storage: crmStorage,
  events: seenWith(CrmEvent, {
    "contact.created": "contacts.read",
    "contact.updated": "contacts.read",
    "contact.consent_changed": "contacts.read",
    "contact.tagged": "contacts.read",
    "contact.untagged": "contacts.read",
    "contact.merged": "contacts.read",
    "contact.unmerged": "contacts.read",
    "contact.duplicate_found": "contacts.read",
    "contact.duplicate_dismissed": "contacts.read",
    "contact.deleted": "contacts.read",
    "contacts.changed": "contacts.read",
    "contacts.imported": "contacts.read",
    "tag.created": "contacts.read",
    "tag.updated": "contacts.read",
    "tag.deleted": "contacts.read",
    "tag.merged": "contacts.read",
    "contact_field.created": "contacts.read",
    "contact_field.updated": "contacts.read",
    "contact_field.deleted": "contacts.read",
    "segment.created": "contacts.read",
    "segment.updated": "contacts.read",
    "segment.deleted": "contacts.read"
  }),
  permissions: [
    "contacts.read",
    "contacts.manage",
    "contacts.import",
    "contacts.export",
    "contacts.erase",
    "contact_fields.manage"
  ],
  works: crmWorks,
  jobs: [changeContactsJob, deleteContactFieldJob, importContactsJob, mergeTagsJob],
  reactions: crmReactions,
  limitUses: [contactUse],
  sealedValues: [listKeys],
  eventResources: crmResources
})
