import type { Promised } from "../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                  | who may               | plan gate
contactFields.create      | contact_fields.manage | -
contactFields.delete      | contact_fields.manage | -
contactFields.list        | contacts.read         | -
contactFields.update      | contact_fields.manage | -
contacts.change           | contacts.manage       | -
contacts.count            | contacts.read         | -
contacts.create           | contacts.manage       | -
contacts.delete           | contacts.manage       | -
contacts.dismissDuplicate | contacts.manage       | -
contacts.dropFile         | contacts.import       | -
contacts.erase            | contacts.erase        | -
contacts.export           | contacts.export       | -
contacts.exportOne        | contacts.export       | -
contacts.get              | contacts.read         | -
contacts.getImport        | contacts.import       | -
contacts.import           | contacts.import       | -
contacts.list             | contacts.read         | -
contacts.listDuplicates   | contacts.read         | -
contacts.merge            | contacts.manage       | -
contacts.readImportFaults | contacts.import       | -
contacts.receiveFile      | contacts.import       | -
contacts.render           | contacts.read         | -
contacts.tag              | contacts.manage       | -
contacts.timeline         | contacts.read         | -
contacts.unmerge          | contacts.manage       | -
contacts.untag            | contacts.manage       | -
contacts.update           | contacts.manage       | -
contacts.upsertByPhone    | contacts.manage       | -
segments.create           | contacts.manage       | -
segments.delete           | contacts.manage       | -
segments.get              | contacts.read         | -
segments.list             | contacts.read         | -
segments.update           | contacts.manage       | -
suppressions.reseal       | operator              | -
tags.create               | contacts.manage       | -
tags.delete               | contacts.manage       | -
tags.get                  | contacts.read         | -
tags.list                 | contacts.read         | -
tags.merge                | contacts.manage       | -
tags.update               | contacts.manage       | -
`,
  access: `
use case                  | stranger | viewer | agent | admin | owner | token | operator
contactFields.create      | -        | -      | -     | yes   | yes   | yes   | yes
contactFields.delete      | -        | -      | -     | yes   | yes   | yes   | yes
contactFields.list        | -        | yes    | yes   | yes   | yes   | yes   | yes
contactFields.update      | -        | -      | -     | yes   | yes   | yes   | yes
contacts.change           | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.count            | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.create           | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.delete           | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.dismissDuplicate | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.dropFile         | -        | -      | -     | yes   | yes   | yes   | yes
contacts.erase            | -        | -      | -     | yes   | yes   | yes   | yes
contacts.export           | -        | -      | -     | yes   | yes   | yes   | yes
contacts.exportOne        | -        | -      | -     | yes   | yes   | yes   | yes
contacts.get              | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.getImport        | -        | -      | -     | yes   | yes   | yes   | yes
contacts.import           | -        | -      | -     | yes   | yes   | yes   | yes
contacts.list             | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.listDuplicates   | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.merge            | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.readImportFaults | -        | -      | -     | yes   | yes   | yes   | yes
contacts.receiveFile      | -        | -      | -     | yes   | yes   | yes   | yes
contacts.render           | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.tag              | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.timeline         | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.unmerge          | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.untag            | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.update           | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.upsertByPhone    | -        | -      | yes   | yes   | yes   | yes   | yes
segments.create           | -        | -      | yes   | yes   | yes   | yes   | yes
segments.delete           | -        | -      | yes   | yes   | yes   | yes   | yes
segments.get              | -        | yes    | yes   | yes   | yes   | yes   | yes
segments.list             | -        | yes    | yes   | yes   | yes   | yes   | yes
segments.update           | -        | -      | yes   | yes   | yes   | yes   | yes
suppressions.reseal       | -        | -      | -     | -     | -     | -     | yes
tags.create               | -        | -      | yes   | yes   | yes   | yes   | yes
tags.delete               | -        | -      | yes   | yes   | yes   | yes   | yes
tags.get                  | -        | yes    | yes   | yes   | yes   | yes   | yes
tags.list                 | -        | yes    | yes   | yes   | yes   | yes   | yes
tags.merge                | -        | -      | yes   | yes   | yes   | yes   | yes
tags.update               | -        | -      | yes   | yes   | yes   | yes   | yes
`,
  trails: `
use case                  | audit event                 | event
contactFields.create      | contact_field.created       | contact_field.created
contactFields.delete      | contact_field.deleted       | job.started
contactFields.update      | contact_field.updated       | contact_field.updated
contacts.change           | contacts.changed            | contacts.changed
contacts.create           | contact.created             | contact.created
contacts.delete           | contact.deleted             | contact.deleted
contacts.dismissDuplicate | contact.duplicate_dismissed | contact.duplicate_dismissed
contacts.erase            | contact.erased              | contact.deleted
contacts.export           | contacts.exported           | -
contacts.exportOne        | contact.exported            | -
contacts.import           | contacts.imported           | job.started
contacts.merge            | contact.merged              | contact.merged
contacts.tag              | contact.tagged              | contact.tagged
contacts.unmerge          | contact.unmerged            | contact.unmerged
contacts.untag            | contact.untagged            | contact.untagged
contacts.update           | contact.updated             | contact.updated
contacts.upsertByPhone    | contact.created             | contact.created
segments.create           | segment.created             | segment.created
segments.delete           | segment.deleted             | segment.deleted
segments.update           | segment.updated             | segment.updated
suppressions.reseal       | suppressions.resealed       | -
tags.create               | tag.created                 | tag.created
tags.delete               | tag.deleted                 | tag.deleted
tags.merge                | tag.merged                  | job.started
tags.update               | tag.updated                 | tag.updated
`,
  traceless: [
    "contactFields.list",
    "contacts.count",
    "contacts.dropFile",
    "contacts.get",
    "contacts.getImport",
    "contacts.list",
    "contacts.listDuplicates",
    "contacts.readImportFaults",
    "contacts.receiveFile",
    "contacts.render",
    "contacts.timeline",
    "segments.get",
    "segments.list",
    "tags.get",
    "tags.list"
  ]
}
