import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint              | needs                | nobody | token | viewer | agent | admin | owner
conversations.list    | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
conversations.create  | conversations.manage | 401    | no    | no     | 201   | 201   | 201
conversations.counts  | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
conversations.bulk    | conversations.manage | 401    | no    | no     | 200   | 200   | 200
conversations.get     | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
conversations.update  | conversations.manage | 401    | no    | no     | 200   | 200   | 200
conversations.read    | conversations.manage | 401    | no    | no     | 200   | 200   | 200
conversations.unread  | conversations.manage | 401    | no    | no     | 200   | 200   | 200
conversations.assign  | conversations.manage | 401    | no    | no     | 200   | 200   | 200
conversations.snooze  | conversations.manage | 401    | no    | no     | 200   | 200   | 200
conversations.resolve | conversations.manage | 401    | no    | no     | 200   | 200   | 200
conversations.reopen  | conversations.manage | 401    | no    | no     | 200   | 200   | 200
messages.list         | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
messages.search       | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
messages.send         | conversations.manage | 401    | no    | no     | 202   | 202   | 202
messages.get          | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
messages.retry        | conversations.manage | 401    | no    | no     | 202   | 202   | 202
notes.list            | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
notes.create          | conversations.manage | 401    | no    | no     | 201   | 201   | 201
notes.update          | conversations.manage | 401    | no    | no     | 200   | 200   | 200
notes.delete          | conversations.manage | 401    | no    | no     | 204   | 204   | 204
cannedReplies.list    | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
cannedReplies.create  | conversations.manage | 401    | no    | no     | 201   | 201   | 201
cannedReplies.update  | conversations.manage | 401    | no    | no     | 200   | 200   | 200
cannedReplies.delete  | conversations.manage | 401    | no    | no     | 204   | 204   | 204
media.upload          | conversations.manage | 401    | no    | no     | 201   | 201   | 201
media.download        | conversations.read   | 401    | no    | 200    | 200   | 200   | 200
`,
  trails: {
    "conversations.create": "conversation.opened",
    "conversations.bulk": "conversation.updated",
    "conversations.update": "conversation.updated",
    "conversations.read": null,
    "conversations.unread": null,
    "conversations.assign": "conversation.updated",
    "conversations.snooze": "conversation.updated",
    "conversations.resolve": "conversation.updated",
    "conversations.reopen": "conversation.updated",
    "messages.send": "message.sent",
    "messages.retry": "message.retried",
    "notes.create": "note.created",
    "notes.update": "note.updated",
    "notes.delete": "note.deleted",
    "cannedReplies.create": "canned_reply.created",
    "cannedReplies.update": "canned_reply.updated",
    "cannedReplies.delete": "canned_reply.deleted",
    "media.upload": "media.uploaded"
  }
}
