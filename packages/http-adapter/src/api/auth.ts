import {
  AutomationTokenId,
  Feature,
  OrganizationId,
  Page,
  Permission,
  PlanName,
  Role,
  Timestamp
} from "@parley/domain/kernel"
import {
  EmailAddressInput,
  Limit,
  ListedAutomationToken,
  Member,
  SingleLineText,
  NewAutomationToken,
  NewPassword,
  Organization,
  OrganizationStatus,
  Slug,
  PasswordInput,
  User
} from "@parley/domain/platform"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { admitsPasswordChange, area, describe } from "./describe.ts"
import { Authenticated, Idempotent, InOnlyOrganization, InOrganization, Public, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, PageQuery, Secret } from "./shapes.ts"

/** An access token, and the refresh token that is exchanged for the next. */
const Tokens = Schema.Struct({
  accessToken: Secret,
  tokenType: Schema.Literal("Bearer"),
  expiresIn: Schema.Int,
  expiresAt: Timestamp,
  refreshToken: Secret
}).annotate({ identifier: "Tokens" })

const LoginRequest = Schema.Struct({
  email: EmailAddressInput,
  password: PasswordInput,
  organizationId: Schema.optionalKey(OrganizationId),
  deviceToken: Schema.optionalKey(Secret)
}).annotate({ identifier: "LoginRequest" })

const LoginAnswer = Schema.Struct({
  ...Tokens.fields,
  user: User,
  organizations: Schema.Array(Schema.Struct({ id: OrganizationId, name: SingleLineText, role: Role })),
  deviceToken: Secret
}).annotate({ identifier: "LoginAnswer" })

const MyOrganization = Schema.Struct({
  id: OrganizationId.annotate({ description: "Value of the header X-Organization-Id." }),
  slug: Slug,
  name: SingleLineText,
  role: Role.annotate({ description: "Your role in the organization." }),
  plan: PlanName,
  status: OrganizationStatus
}).annotate({ identifier: "MyOrganization" })

const LimitUse = Schema.Struct({ max: Schema.Int, used: Schema.Int })

const Me = Schema.Struct({
  user: User,
  organization: Organization,
  membership: Schema.Struct({ role: Schema.NullOr(Role), permissions: Schema.Array(Permission) }),
  entitlements: Schema.Struct({
    plan: PlanName,
    features: Schema.Record(Feature, Schema.Boolean),
    limits: Schema.Record(Limit, LimitUse)
  })
}).annotate({ identifier: "Me" })

const InvitationAcceptance = Schema.Struct({ token: Secret, name: SingleLineText, password: NewPassword }).annotate({
  identifier: "InvitationAcceptance"
})

/** Login and logout, for every caller. */
export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.post("login", "/auth/login", {
      payload: LoginRequest,
      success: LoginAnswer,
      error: [
        Problems.InvalidCredentials,
        Problems.OrganizationForbidden,
        Problems.LoginThrottled,
        Problems.LoginOverloaded
      ]
    }).annotateMerge(
      describe(
        "login",
        "Log in",
        "A wrong e-mail address and a wrong password get the same answer, in the same time. Store `deviceToken` and send it with later logins from the same device. It grants no access, but keeps logins possible while other clients guess passwords for your account."
      )
    ),
    HttpApiEndpoint.post("refresh", "/auth/refresh", {
      payload: Schema.Struct({ refreshToken: Secret }),
      success: Tokens,
      error: [
        Problems.TokenInvalid,
        Problems.TokenExpired,
        Problems.TokenRevoked,
        Problems.SessionReuseDetected,
        Problems.RefreshSuperseded
      ]
    }).annotateMerge(
      describe(
        "refreshSession",
        "Refresh a session",
        "Exchanges a refresh token for the next pair of tokens. A refresh token that was exchanged before ends its session."
      )
    ),
    HttpApiEndpoint.post("acceptInvitation", "/auth/invitations/accept", {
      payload: InvitationAcceptance,
      success: Schema.Struct({ user: User, member: Member, organizationId: OrganizationId }).pipe(
        HttpApiSchema.status(201)
      ),
      error: [
        Problems.InvitationInvalid,
        Problems.InvalidCredentials,
        Problems.LoginThrottled,
        Problems.LoginOverloaded
      ]
    }).annotateMerge(
      describe(
        "acceptInvitation",
        "Accept an invitation",
        "Makes the invited person a member. A person with an account confirms it with its password. If the mailbox of the account is not verified yet, an invitation by mail verifies it: the account gets this password, and all earlier sessions end."
      )
    ),
    HttpApiEndpoint.post("forgotPassword", "/auth/password/forgot", {
      payload: Schema.Struct({ email: EmailAddressInput }).annotate({ identifier: "ForgottenPassword" }),
      success: HttpApiSchema.NoContent,
      error: [Problems.EmailNotConfigured, Problems.MailThrottled]
    }).annotateMerge(
      describe(
        "forgotPassword",
        "Request a password reset link",
        "Mails a link to the page for a new password. The link works once, within 60 minutes. The answer is the same, in the same time, for known and unknown addresses. A mailbox gets at most 3 links per hour; existing links stay valid."
      )
    ),
    HttpApiEndpoint.post("resetPassword", "/auth/password/reset", {
      payload: Schema.Struct({ token: Secret, password: NewPassword }).annotate({ identifier: "NewPasswordByLink" }),
      success: HttpApiSchema.NoContent,
      error: [Problems.PasswordResetInvalid, Problems.LoginOverloaded]
    }).annotateMerge(
      describe(
        "resetPassword",
        "Reset a password",
        "Takes the token of a password reset link. It ends every session of the user and invalidates all their links. Used, expired and unknown tokens get the same answer."
      )
    )
  )
  .middleware(Idempotent)
  .middleware(RequestFaults)
  .middleware(Public)
  .prefix("/api/v1")
  .annotateMerge(area("Sessions", "Login, token refresh and invitations.")) {}

/** The signed-in user's own account. */
export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.post("logout", "/auth/logout", {
      success: HttpApiSchema.NoContent,
      error: [Problems.PermissionDenied]
    })
      .annotateMerge(describe("logout", "Log out", "Ends the session immediately on every node."))
      .annotateMerge(admitsPasswordChange)
      .middleware(Idempotent),
    HttpApiEndpoint.patch("update", "/auth/me", {
      payload: Schema.Struct({ name: Schema.optionalKey(SingleLineText) }),
      success: User,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(describe("updateMe", "Update your name")),
    HttpApiEndpoint.get("organizations", "/auth/organizations", {
      success: Schema.Struct({
        data: Schema.Array(MyOrganization).annotate({ description: "At most 100 organizations, ordered by name." })
      }).annotate({ identifier: "MyOrganizations" }),
      error: [Problems.PermissionDenied]
    }).annotateMerge(
      describe(
        "listMyOrganizations",
        "List your organizations",
        "Lists the active organizations that you are a member of, with your role. Needs no X-Organization-Id."
      )
    ),
    HttpApiEndpoint.post("changePassword", "/auth/password", {
      payload: Schema.Struct({ currentPassword: PasswordInput, newPassword: NewPassword }),
      success: HttpApiSchema.NoContent,
      error: [Problems.PermissionDenied, Problems.InvalidCredentials, Problems.LoginThrottled, Problems.LoginOverloaded]
    })
      .annotateMerge(
        describe(
          "changePassword",
          "Change your password",
          "Requires the current password and ends every other session. After a login with a common password, or with a password set by an operator, a session can call this, `GET /auth/me` and `POST /auth/logout` only; any other call is 403 `password_change_required`."
        )
      )
      .annotateMerge(admitsPasswordChange)
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(Authenticated)
  .prefix("/api/v1")
  .annotateMerge(area("Account", "Your own account.")) {}

/** Identity of the caller. */
export class IdentityApi extends HttpApiGroup.make("identity")
  .add(
    HttpApiEndpoint.get("me", "/auth/me", {
      success: Me,
      error: [Problems.PermissionDenied, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "getMe",
          "Get your identity",
          "The user, the organization, the membership and the entitlements. A user of one organization can leave out `X-Organization-Id`."
        )
      )
      .annotateMerge(admitsPasswordChange)
  )
  .middleware(RequestFaults)
  .middleware(InOnlyOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Identity", "Identity and permissions of the caller.")) {}

/** Automation tokens. */
export class TokensApi extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("list", "/auth/tokens", {
      query: PageQuery,
      success: Page(ListedAutomationToken),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listAutomationTokens",
        "List automation tokens",
        "Each token with its responsible user, its status, and the reason if it does not work."
      )
    ),
    HttpApiEndpoint.post("issue", "/auth/tokens", {
      payload: NewAutomationToken,
      success: Schema.Struct({ ...ListedAutomationToken.fields, token: Secret })
        .annotate({ identifier: "IssuedAutomationToken" })
        .pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied]
    })
      .annotateMerge(describe("issueAutomationToken", "Issue an automation token", "The token is in this answer only."))
      .middleware(Idempotent),
    HttpApiEndpoint.post("adopt", "/auth/tokens/:id/adopt", {
      params: idOf(AutomationTokenId, "automation token"),
      success: ListedAutomationToken,
      error: [Problems.PermissionDenied, Problems.NotFound, Problems.AutomationTokenInactive]
    })
      .annotateMerge(
        describe(
          "adoptAutomationToken",
          "Adopt an automation token",
          "Makes you, an owner, responsible for the token. It stays valid when its issuer loses permissions, leaves or is disabled. The token itself does not change."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.delete("revoke", "/auth/tokens/:id", {
      params: idOf(AutomationTokenId, "automation token"),
      success: HttpApiSchema.NoContent,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(describe("revokeAutomationToken", "Revoke an automation token"))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Automation tokens", "Tokens for programs: bound to one organization, some permissions and an expiry.")
  ) {}
