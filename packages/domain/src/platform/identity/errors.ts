import { Schema } from "effect"

/** The email address or the password is wrong. The response does not reveal which. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("InvalidCredentials", {}) {
  override get message() {
    return "The e-mail address or the password is wrong."
  }
}

export class PasswordChangeRequired extends Schema.TaggedError<PasswordChangeRequired>()("PasswordChangeRequired", {}) {
  override get message() {
    return "This password must be replaced: it is a common password, or an operator set it. Set a new one with POST /api/v1/auth/password."
  }
}

/** The request has no token. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {}) {
  override get message() {
    return "This call needs an access token. Send it as Authorization: Bearer <token>."
  }
}

/** The token is not from this service, or not valid for this use. */
export class TokenInvalid extends Schema.TaggedError<TokenInvalid>()("TokenInvalid", {}) {
  override get message() {
    return "The token is not valid."
  }
}

export class TokenExpired extends Schema.TaggedError<TokenExpired>()("TokenExpired", {}) {
  override get message() {
    return "The token has expired. Refresh it, or log in again."
  }
}

/**
 * The token or its session was revoked, or the user of the session was disabled. `reason`: the responsible person of an automation token has left the
 * organization or was disabled.
 */
export class TokenRevoked extends Schema.TaggedError<TokenRevoked>()("TokenRevoked", {
  reason: Schema.optionalKey(Schema.Literals(["responsible_left", "responsible_disabled"]))
}) {
  override get message() {
    switch (this.reason) {
      case "responsible_left":
        return "The responsible user of this automation token has left the organization. An owner can adopt the token."
      case "responsible_disabled":
        return "The responsible user of this automation token is disabled. An owner can adopt the token."
      default:
        return "The token has been revoked. Log in again."
    }
  }
}

/** The token accepts no calls from the address of the caller. */
export class AddressNotAllowed extends Schema.TaggedError<AddressNotAllowed>()("AddressNotAllowed", {}) {
  override get message() {
    return "The token accepts no calls from this address."
  }
}

/** A revoked or expired automation token cannot be reactivated. */
export class AutomationTokenInactive extends Schema.TaggedError<AutomationTokenInactive>()(
  "AutomationTokenInactive",
  {}
) {
  override get message() {
    return "This automation token was revoked or has expired. Issue a new one."
  }
}

/** A refresh token was used again after its exchange. Another client may have it, so the session was ended. */
export class SessionReuseDetected extends Schema.TaggedError<SessionReuseDetected>()("SessionReuseDetected", {}) {
  override get message() {
    return "This refresh token was already used. The session was ended for security. Log in again."
  }
}

/** A concurrent call has exchanged this refresh token. The session continues with the result of that call. */
export class RefreshSuperseded extends Schema.TaggedError<RefreshSuperseded>()("RefreshSuperseded", {}) {
  override get message() {
    return "Another call has just exchanged this refresh token. Use the tokens of that call."
  }
}

/** The header that selects the organization is missing. */
export class OrganizationHeaderMissing extends Schema.TaggedError<OrganizationHeaderMissing>()(
  "OrganizationHeaderMissing",
  {}
) {
  override get message() {
    return "Send the id of the organization in X-Organization-Id."
  }
}

/** The header that selects the organization is not an id. */
export class OrganizationHeaderInvalid extends Schema.TaggedError<OrganizationHeaderInvalid>()(
  "OrganizationHeaderInvalid",
  {}
) {
  override get message() {
    return "X-Organization-Id is not the id of an organization."
  }
}

/** The caller is not in the organization, or it does not exist. The response does not reveal which. */
export class OrganizationForbidden extends Schema.TaggedError<OrganizationForbidden>()("OrganizationForbidden", {}) {
  override get message() {
    return "You have no access to this organization."
  }
}

export class OrganizationSuspended extends Schema.TaggedError<OrganizationSuspended>()("OrganizationSuspended", {}) {
  override get message() {
    return "This organization is suspended."
  }
}

/** Another organization has this slug. */
export class SlugTaken extends Schema.TaggedError<SlugTaken>()("SlugTaken", { slug: Schema.String }) {
  override get message() {
    return `An organization with the slug ${this.slug} already exists.`
  }
}

/** Another user has this email address. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", { email: Schema.String }) {
  override get message() {
    return `A user with the e-mail address ${this.email} already exists.`
  }
}

/** The person is already a member or invited. */
export class MemberExists extends Schema.TaggedError<MemberExists>()("MemberExists", { memberId: Schema.String }) {
  override get message() {
    return "A person with this e-mail address is already a member or invited."
  }
}

/** The organization would have no owner. */
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", {}) {
  override get message() {
    return "The last owner of an organization can neither leave it nor change the role. Make another member an owner first."
  }
}

/** The invitation is used, expired, revoked or unknown. The response does not reveal which. */
export class InvitationInvalid extends Schema.TaggedError<InvitationInvalid>()("InvitationInvalid", {}) {
  override get message() {
    return "The invitation is not valid, or has expired. Request a new one."
  }
}

/** The reset link is used, expired or unknown. The response does not reveal which. */
export class PasswordResetInvalid extends Schema.TaggedError<PasswordResetInvalid>()("PasswordResetInvalid", {}) {
  override get message() {
    return "The link is not valid, or has expired. Request a new one."
  }
}

/** The mailbox of the account is not verified. */
export class EmailUnverified extends Schema.TaggedError<EmailUnverified>()("EmailUnverified", {
  email: Schema.String
}) {
  override get message() {
    return `The mailbox of the account ${this.email} is not verified: its password was set through an invitation link. Invite the person by email, or create a password reset link first: parley users reset-link ${this.email}`
  }
}

/** Too many failures: the client must wait. */
export class LoginThrottled extends Schema.TaggedError<LoginThrottled>()("LoginThrottled", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many failed logins. Try again in ${this.retryAfterSeconds} seconds.`
  }
}

/** The queue of password checks is too long. The password was not checked. */
export class LoginOverloaded extends Schema.TaggedError<LoginOverloaded>()("LoginOverloaded", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many concurrent logins. Try again in ${this.retryAfterSeconds} seconds.`
  }
}
