import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case              | who may              | plan gate
cannedReplies.create  | conversations.manage | -
cannedReplies.delete  | conversations.manage | -
cannedReplies.list    | conversations.read   | -
cannedReplies.update  | conversations.manage | -
conversations.assign  | conversations.manage | -
conversations.change  | conversations.manage | -
conversations.count   | conversations.read   | -
conversations.get     | conversations.read   | -
conversations.list    | conversations.read   | -
conversations.open    | conversations.manage | -
conversations.read    | conversations.manage | -
conversations.reopen  | conversations.manage | -
conversations.resolve | conversations.manage | -
conversations.snooze  | conversations.manage | -
conversations.unread  | conversations.manage | -
conversations.update  | conversations.manage | -
media.drop            | conversations.manage | -
media.keep            | conversations.manage | -
media.read            | conversations.read   | -
media.receive         | conversations.manage | -
media.upload          | conversations.manage | -
messages.get          | conversations.read   | -
messages.list         | conversations.read   | -
messages.render       | conversations.read   | -
messages.retry        | conversations.manage | -
messages.search       | conversations.read   | -
messages.send         | conversations.manage | -
notes.create          | conversations.manage | -
notes.delete          | conversations.manage | -
notes.list            | conversations.read   | -
notes.update          | conversations.manage | -
`,
  access: `
use case              | stranger | viewer | agent | admin | owner | token | operator
cannedReplies.create  | -        | -      | yes   | yes   | yes   | yes   | yes
cannedReplies.delete  | -        | -      | yes   | yes   | yes   | yes   | yes
cannedReplies.list    | -        | yes    | yes   | yes   | yes   | yes   | yes
cannedReplies.update  | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.assign  | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.change  | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.count   | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.get     | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.list    | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.open    | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.read    | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.reopen  | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.resolve | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.snooze  | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.unread  | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.update  | -        | -      | yes   | yes   | yes   | yes   | yes
media.drop            | -        | -      | yes   | yes   | yes   | yes   | yes
media.keep            | -        | -      | yes   | yes   | yes   | yes   | yes
media.read            | -        | yes    | yes   | yes   | yes   | yes   | yes
media.receive         | -        | -      | yes   | yes   | yes   | yes   | yes
media.upload          | -        | -      | yes   | yes   | yes   | yes   | yes
messages.get          | -        | yes    | yes   | yes   | yes   | yes   | yes
messages.list         | -        | yes    | yes   | yes   | yes   | yes   | yes
messages.render       | -        | yes    | yes   | yes   | yes   | yes   | yes
messages.retry        | -        | -      | yes   | yes   | yes   | yes   | yes
messages.search       | -        | yes    | yes   | yes   | yes   | yes   | yes
messages.send         | -        | -      | yes   | yes   | yes   | yes   | yes
notes.create          | -        | -      | yes   | yes   | yes   | yes   | yes
notes.delete          | -        | -      | own   | yes   | yes   | yes   | yes
notes.list            | -        | yes    | yes   | yes   | yes   | yes   | yes
notes.update          | -        | -      | own   | own   | own   | own   | own
`,
  trails: `
use case              | audit event          | event
cannedReplies.create  | canned_reply.created | canned_reply.created
cannedReplies.delete  | canned_reply.deleted | canned_reply.deleted
cannedReplies.update  | canned_reply.updated | canned_reply.updated
conversations.assign  | conversation.updated | conversation.assigned
conversations.change  | conversation.updated | conversation.status_changed
conversations.open    | conversation.opened  | conversation.opened
conversations.read    | -                    | conversation.read
conversations.reopen  | conversation.updated | conversation.status_changed
conversations.resolve | conversation.updated | conversation.status_changed
conversations.snooze  | conversation.updated | conversation.status_changed
conversations.unread  | -                    | conversation.unread
conversations.update  | conversation.updated | conversation.updated
media.keep            | media.uploaded       | -
media.upload          | media.uploaded       | -
messages.retry        | message.retried      | message.status_changed
messages.send         | message.sent         | message.queued
notes.create          | note.created         | note.created
notes.delete          | note.deleted         | note.deleted
notes.update          | note.updated         | note.updated
`,
  traceless: [
    "cannedReplies.list",
    "conversations.count",
    "conversations.get",
    "conversations.list",
    "media.drop",
    "media.read",
    "media.receive",
    "messages.get",
    "messages.list",
    "messages.render",
    "messages.search",
    "notes.list"
  ]
}
