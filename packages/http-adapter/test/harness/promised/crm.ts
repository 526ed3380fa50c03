import type { Promised } from "../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint                     | needs                 | nobody | token | viewer | agent | admin | owner
contacts.list                | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
contacts.count               | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
contacts.create              | contacts.manage       | 401    | no    | no     | 201   | 201   | 201
contacts.get                 | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
contacts.update              | contacts.manage       | 401    | no    | no     | 200   | 200   | 200
contacts.delete              | contacts.manage       | 401    | no    | no     | 204   | 204   | 204
contacts.upsertByPhone       | contacts.manage       | 401    | no    | no     | 201   | 201   | 201
contacts.tag                 | contacts.manage       | 401    | no    | no     | 200   | 200   | 200
contacts.untag               | contacts.manage       | 401    | no    | no     | 200   | 200   | 200
contacts.bulk                | contacts.manage       | 401    | no    | no     | 200   | 200   | 200
contacts.merge               | contacts.manage       | 401    | no    | no     | 200   | 200   | 200
contacts.unmerge             | contacts.manage       | 401    | no    | no     | 200   | 200   | 200
contacts.listDuplicates      | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
contacts.dismissDuplicate    | contacts.manage       | 401    | no    | no     | 204   | 204   | 204
contacts.timeline            | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
contacts.exportOne           | contacts.export       | 401    | no    | no     | no    | 200   | 200
contactTransfer.import       | contacts.import       | 401    | no    | no     | no    | 202   | 202
contactTransfer.getImport    | contacts.import       | 401    | no    | no     | no    | 200   | 200
contactTransfer.importErrors | contacts.import       | 401    | no    | no     | no    | 200   | 200
contactTransfer.export       | contacts.export       | 401    | no    | no     | no    | 200   | 200
tags.list                    | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
tags.create                  | contacts.manage       | 401    | no    | no     | 201   | 201   | 201
tags.get                     | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
tags.update                  | contacts.manage       | 401    | no    | no     | 200   | 200   | 200
tags.delete                  | contacts.manage       | 401    | no    | no     | 204   | 204   | 204
tags.merge                   | contacts.manage       | 401    | no    | no     | 202   | 202   | 202
contactFields.list           | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
contactFields.create         | contact_fields.manage | 401    | no    | no     | no    | 201   | 201
contactFields.update         | contact_fields.manage | 401    | no    | no     | no    | 200   | 200
contactFields.delete         | contact_fields.manage | 401    | no    | no     | no    | 202   | 202
segments.list                | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
segments.create              | contacts.manage       | 401    | no    | no     | 201   | 201   | 201
segments.get                 | contacts.read         | 401    | no    | 200    | 200   | 200   | 200
segments.update              | contacts.manage       | 401    | no    | no     | 200   | 200   | 200
segments.delete              | contacts.manage       | 401    | no    | no     | 204   | 204   | 204
`,
  trails: {
    "contacts.create": "contact.created",
    "contacts.update": "contact.updated",
    "contacts.delete": "contact.deleted",
    "contacts.upsertByPhone": "contact.created",
    "contacts.tag": "contact.tagged",
    "contacts.untag": "contact.untagged",
    "contactTransfer.import": "contacts.imported",
    "contacts.bulk": "contacts.changed",
    "contacts.merge": "contact.merged",
    "contacts.unmerge": "contact.unmerged",
    "contacts.dismissDuplicate": "contact.duplicate_dismissed",
    "tags.create": "tag.created",
    "tags.update": "tag.updated",
    "tags.delete": "tag.deleted",
    "tags.merge": "tag.merged",
    "contactFields.create": "contact_field.created",
    "contactFields.update": "contact_field.updated",
    "contactFields.delete": "contact_field.deleted",
    "segments.create": "segment.created",
    "segments.update": "segment.updated",
    "segments.delete": "segment.deleted"
  }
}
