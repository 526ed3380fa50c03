import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint                  | needs               | nobody | token | viewer | agent | admin | owner
sessions.login            |                     | 200    | 200   | 200    | 200   | 200   | 200
sessions.refresh          |                     | 200    | 200   | 200    | 200   | 200   | 200
sessions.acceptInvitation |                     | 201    | 201   | 201    | 201   | 201   | 201
sessions.forgotPassword   |                     | 204    | 204   | 204    | 204   | 204   | 204
sessions.resetPassword    |                     | 204    | 204   | 204    | 204   | 204   | 204
account.logout            | user                | 401    | no    | 204    | 204   | 204   | 204
account.update            | user                | 401    | no    | 200    | 200   | 200   | 200
account.changePassword    | user                | 401    | no    | 204    | 204   | 204   | 204
identity.me               | organization.read   | 401    | no    | 200    | 200   | 200   | 200
tokens.list               | tokens.manage       | 401    | no    | no     | no    | 200   | 200
tokens.issue              | tokens.manage       | 401    | no    | no     | no    | 201   | 201
tokens.adopt              | owners.manage       | 401    | no    | no     | no    | no    | 200
tokens.revoke             | tokens.manage       | 401    | no    | no     | no    | 204   | 204
organization.get          | organization.read   | 401    | no    | 200    | 200   | 200   | 200
organization.update       | organization.manage | 401    | no    | no     | no    | 200   | 200
organization.entitlements | organization.read   | 401    | no    | 200    | 200   | 200   | 200
members.list              | members.read        | 401    | no    | 200    | 200   | 200   | 200
members.invite            | members.manage      | 401    | no    | no     | no    | 201   | 201
members.changeRole        | members.manage      | 401    | no    | no     | no    | 200   | 200
members.remove            | members.manage      | 401    | no    | no     | no    | 204   | 204
members.availability      | members.read members.manage  | 401    | no    | no     | no    | 200   | 200
members.setAvailability   | members.read members.manage  | 401    | no    | no     | no    | 200   | 200
`,
  trails: {
    "sessions.login": "session.opened",
    "sessions.refresh": null,
    "sessions.acceptInvitation": "member.joined",
    "sessions.forgotPassword": null,
    "sessions.resetPassword": "user.password_reset",
    "account.logout": "session.closed",
    "account.update": "user.renamed",
    "account.changePassword": "user.password_changed",
    "tokens.adopt": "automation_token.adopted",
    "tokens.issue": "automation_token.issued",
    "tokens.revoke": "automation_token.revoked",
    "organization.update": "organization.updated",
    "members.invite": "member.invited",
    "members.changeRole": "member.role_changed",
    "members.remove": "member.removed",
    "members.setAvailability": "member.availability_changed"
  }
}
