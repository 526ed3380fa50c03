import {
  Availability,
  AvailabilityInput,
  Entitlements,
  Member,
  MemberId,
  NewMember,
  Organization,
  OrganizationPatch,
  Page,
  Role,
  Timestamp
} from "@parley/domain"
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
    }).annotateMerge(describe("getOrganization", "Read the organization")),
    HttpApiEndpoint.patch("update", "/organization", {
      headers: IfMatch,
      payload: OrganizationPatch,
      success: Organization,
      error: [Problems.PermissionDenied, Problems.VersionConflict]
    }).annotateMerge(describe("updateOrganization", "Change settings of the organization")),
    HttpApiEndpoint.get("entitlements", "/entitlements", {
      success: Entitlements,
      error: [Problems.PermissionDenied]
    }).annotateMerge(
      describe(
        "getEntitlements",
        "Read the entitlements",
        "Every feature and limit: allowed, used, its maximum, when it starts anew, and the plans that have it."
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
        Problems.MailerAbsent,
        Problems.MailThrottled
      ]
    })
      .annotateMerge(
        describe(
          "inviteMember",
          "Invite a person",
          'Mails a one-time link to the person; it is good for 7 days, and nobody else sees it. With `"delivery": "link"` the link is shown in this answer and never again, for you to hand over: it does not show that the person has the mailbox.'
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
        "Change a member's role",
        "Only an owner makes or changes an owner; one owner must stay. With a role that may not work on conversations, those that the member looks after are nobody's from then on."
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
        "Remove a member, or take an invitation back",
        "The conversations that the member looks after are nobody's from then on; the event `conversation.assigned` tells of each."
      )
    ),
    HttpApiEndpoint.get("availability", "/members/:id/availability", {
      params: idOf(MemberId, "member"),
      success: Availability,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(
      describe(
        "getMemberAvailability",
        "Read whether a member takes conversations",
        "Everybody may read their own; that of others needs `members.manage`."
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
        "Say whether a member takes conversations",
        "Automations hand conversations to members who are `available` and have fewer open ones than their capacity. Whoever is `away` keeps those that they have. Everybody may change their own; that of others needs `members.manage`."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Members", "Who belongs to the organization, in which role.")) {}
