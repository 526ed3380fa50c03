import { defineCredentials } from "../../kernel/index.ts"

export const identityCredentials = defineCredentials(
  {
    name: "session",
    parent: { kind: "record", name: "user", reason: "Disabling the user or a new password revokes it." }
  },
  { name: "access token", parent: { kind: "credential", name: "session" } },
  { name: "refresh token", parent: { kind: "credential", name: "session" } },
  {
    name: "device token",
    parent: { kind: "record", name: "password", reason: "It is a digest that includes the password hash." }
  },
  {
    name: "automation token",
    parent: { kind: "record", name: "responsible member", reason: "Each call reads the member and the role." }
  },
  {
    name: "invitation link",
    parent: { kind: "record", name: "inviting member", reason: "Accepting it asks for the rights of the inviter." }
  },
  {
    name: "password reset link",
    parent: { kind: "record", name: "user", reason: "A new password withdraws it, and a disabled user cannot use it." }
  }
)
