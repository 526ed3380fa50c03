import { Page, Role, Timestamp } from "@parley/domain/kernel"
import {
  Availability,
  AvailabilityInput,
  Entitlements,
  Member,
  MemberId,
  NewMember,
  Organization,
  OrganizationPatch
} from "@parley/domain/platform"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery, Secret } from "./shapes.ts"

/** The settings and the plan of the current organization. */
export class OrganizationApi extends HttpApiGroup.make("organization")
  .add(
    HttpApiEndpoint.get("get", "/organization", {
      success: Organization,
      error: [Problems.PermissionDenied]
    }).annotateMerge(describe("getOrganization", "Get the organization")),
    HttpApiEndpoint.patch("update", "/organization", {
      headers: IfMatch,
      payload: OrganizationPatch,
      success: Organization,
      error: [Problems.PermissionDenied, Problems.VersionConflict]
    }).annotateMerge(describe("updateOrganization", "Update the organization")),
    HttpApiEndpoint.get("entitlements", "/entitlements", {
      success: Entitlements,
      error: [Problems.PermissionDenied]
    }).annotateMerge(
      describe(
        "getEntitlements",
        "Get the entitlements",
        "Every feature and limit: whether it is allowed, its usage, its maximum, the time of its reset, and the plans that include it."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Organization", "Settings, plan and entitlements of the organization.")) {}

/** The people of the organization. */
export class MembersApi extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/members", {
      query: PageQuery,
      success: Page(Member),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listMembers", "List members and open invitations")),
    HttpApiEndpoint.post("invite", "/members", {
      payload: NewMember,
      success: Schema.Struct({
        member: Member,
        invitation: Schema.Union([
          Schema.Struct({ delivery: Schema.Literal("mail"), expiresAt: Timestamp }),
          Schema.Struct({
            delivery: Schema.Literal("link"),
            token: Secret,
            url: Schema.String,
            expiresAt: Timestamp
          })
        ])
      })
        .annotate({ identifier: "InvitedMember" })
        .pipe(HttpApiSchema.status(201)),
      error: [
        Problems.PermissionDenied,
        Problems.MemberExists,
        Problems.PlanLimitReached,
        Problems.EmailNotConfigured,
        Problems.MailThrottled
      ]
    })
      .annotateMerge(
        describe(
          "inviteMember",
          "Invite a member",
          'Mails a one-time link to the person. The link is valid for 7 days and is not in the answer. With `"delivery": "link"` the link is in this answer only, and you send it yourself: it does not verify the mailbox of the person.'
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.patch("changeRole", "/members/:id", {
      params: idOf(MemberId, "member"),
      headers: IfMatch,
      payload: Schema.Struct({ role: Role }),
      success: Member,
      error: [Problems.PermissionDenied, Problems.NotFound, Problems.VersionConflict, Problems.LastOwner]
    }).annotateMerge(
      describe(
        "changeMemberRole",
        "Change the role of a member",
        "Only an owner can create or change owners, and one owner must remain. With a role that cannot work on conversations, the member's conversations become unassigned."
      )
    ),
    HttpApiEndpoint.delete("remove", "/members/:id", {
      params: idOf(MemberId, "member"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [Problems.PermissionDenied, Problems.NotFound, Problems.VersionConflict, Problems.LastOwner]
    }).annotateMerge(
      describe(
        "removeMember",
        "Remove a member or an invitation",
        "The conversations of the member become unassigned; an event `conversation.assigned` reports each."
      )
    ),
    HttpApiEndpoint.get("availability", "/members/:id/availability", {
      params: idOf(MemberId, "member"),
      success: Availability,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(
      describe(
        "getMemberAvailability",
        "Get the availability of a member",
        "All members can read their own; others need `members.manage`."
      )
    ),
    HttpApiEndpoint.put("setAvailability", "/members/:id/availability", {
      params: idOf(MemberId, "member"),
      payload: AvailabilityInput,
      success: Availability,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(
      describe(
        "setMemberAvailability",
        "Set the availability of a member",
        "Automations assign conversations to members who are `available` and below their capacity. Members who are `away` keep their conversations. All members can change their own; others need `members.manage`."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Members", "Members of the organization and their roles.")) {}
