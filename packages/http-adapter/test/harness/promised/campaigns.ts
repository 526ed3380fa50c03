import type { Promised } from "../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint                 | needs             | nobody | token | viewer | agent | admin | owner
broadcasts.list          | broadcasts.read   | 401    | no    | 200    | 200   | 200   | 200
broadcasts.create        | broadcasts.manage | 401    | no    | no     | 201   | 201   | 201
broadcasts.preview       | broadcasts.manage | 401    | no    | no     | 200   | 200   | 200
broadcasts.get           | broadcasts.read   | 401    | no    | 200    | 200   | 200   | 200
broadcasts.recipients    | broadcasts.read   | 401    | no    | 200    | 200   | 200   | 200
broadcasts.exportRecipients | contacts.export | 401    | no    | no     | no    | 200   | 200
broadcasts.report        | broadcasts.read   | 401    | no    | 200    | 200   | 200   | 200
broadcasts.update        | broadcasts.manage | 401    | no    | no     | 200   | 200   | 200
broadcasts.delete        | broadcasts.manage | 401    | no    | no     | 204   | 204   | 204
broadcasts.schedule      | broadcasts.send   | 401    | no    | no     | no    | 200   | 200
broadcasts.unschedule    | broadcasts.send   | 401    | no    | no     | no    | 200   | 200
broadcasts.send          | broadcasts.send   | 401    | no    | no     | no    | 202   | 202
broadcasts.test          | broadcasts.send   | 401    | no    | no     | no    | 200   | 200
broadcasts.simulate      | broadcasts.manage | 401    | no    | no     | 200   | 200   | 200
broadcasts.pause         | broadcasts.send   | 401    | no    | no     | no    | 200   | 200
broadcasts.resume        | broadcasts.send   | 401    | no    | no     | no    | 200   | 200
broadcasts.cancel        | broadcasts.send   | 401    | no    | no     | no    | 200   | 200
broadcasts.duplicate     | broadcasts.manage | 401    | no    | no     | 201   | 201   | 201
broadcasts.retry | broadcasts.manage | 401    | no    | no     | 201   | 201   | 201
broadcastSettings.get    | broadcasts.read   | 401    | no    | 200    | 200   | 200   | 200
broadcastSettings.update | broadcasts.send   | 401    | no    | no     | no    | 200   | 200
`,
  trails: {
    "broadcasts.create": "broadcast.created",
    "broadcasts.preview": null,
    "broadcasts.simulate": null,
    "broadcasts.update": "broadcast.updated",
    "broadcasts.delete": "broadcast.deleted",
    "broadcasts.schedule": "broadcast.scheduled",
    "broadcasts.unschedule": "broadcast.unscheduled",
    "broadcasts.send": "broadcast.sent",
    "broadcasts.pause": "broadcast.paused",
    "broadcasts.resume": "broadcast.resumed",
    "broadcasts.cancel": "broadcast.cancelled",
    "broadcasts.duplicate": "broadcast.created",
    "broadcasts.retry": "broadcast.created",
    "broadcasts.test": "broadcast.tested",
    "broadcastSettings.update": "broadcast_settings.updated"
  }
}
