import { Schema } from "effect"
import { StoreConnectionId } from "./Ids.ts"
import { PrivacyState } from "./PrivacyRequest.ts"
import { StoreConnectionStatus } from "./StoreConnection.ts"

/** The organization has already connected this shop. */
export class StoreExists extends Schema.TaggedError<StoreExists>()("StoreExists", {
  storeConnectionId: StoreConnectionId
}) {
  override get message() {
    return `The store connection ${this.storeConnectionId} already has this shop. To renew its authorization, authorize the shop again.`
  }
}

/** A background job removes the connection of this shop. */
export class StoreBeingRemoved extends Schema.TaggedError<StoreBeingRemoved>()("StoreBeingRemoved", {
  storeConnectionId: StoreConnectionId,
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `The store connection ${this.storeConnectionId} of this shop is being removed. Try again in ${this.retryAfterSeconds} seconds.`
  }
}

/** This service has no app at the provider. */
export class StoreAppNotConfigured extends Schema.TaggedError<StoreAppNotConfigured>()("StoreAppNotConfigured", {
  provider: Schema.String
}) {
  override get message() {
    return `This service has no ${this.provider} app configured.`
  }
}

/** The callback of a shop has no valid signature of its provider, or is too old. */
export class StoreCallbackSignatureInvalid extends Schema.TaggedError<StoreCallbackSignatureInvalid>()(
  "StoreCallbackSignatureInvalid",
  {}
) {
  override get message() {
    return "The callback does not have a valid signature of the provider, or is too old. Connect the store again."
  }
}

/** The state is used, expired, unknown or of another shop. The error does not reveal the reason. */
export class StoreCallbackStateInvalid extends Schema.TaggedError<StoreCallbackStateInvalid>()(
  "StoreCallbackStateInvalid",
  {}
) {
  override get message() {
    return "The callback is not valid, or has expired. It works once, within ten minutes. Connect the store again."
  }
}

/** The code, the verifier or the actor does not match the journey, or the code is spent or expired. The error does not reveal the reason. */
export class StoreCodeInvalid extends Schema.TaggedError<StoreCodeInvalid>()("StoreCodeInvalid", {}) {
  override get message() {
    return "code or codeVerifier is not valid. A code works once, within 10 minutes, and only for the caller who started the connection. Start again with GET /integrations/storefront/authorize."
  }
}

/** Another call exchanges a code of this shop, in this organization or in another one. */
export class StoreExchangeInProgress extends Schema.TaggedError<StoreExchangeInProgress>()(
  "StoreExchangeInProgress",
  {}
) {
  override get message() {
    return "Another call is connecting this shop. The code stays valid. Repeat the call in a minute."
  }
}

/** The consent was denied in the shop. */
export class StoreAuthorizationDenied extends Schema.TaggedError<StoreAuthorizationDenied>()(
  "StoreAuthorizationDenied",
  {}
) {
  override get message() {
    return "The merchant denied access. Nothing was connected."
  }
}

/** Another organization has connected this shop. */
export class StoreConnectedElsewhere extends Schema.TaggedError<StoreConnectedElsewhere>()(
  "StoreConnectedElsewhere",
  {}
) {
  override get message() {
    return "Another organization has connected this store. Disconnect it there first."
  }
}

/** The shop granted fewer scopes than required. */
export class StoreScopesMissing extends Schema.TaggedError<StoreScopesMissing>()("StoreScopesMissing", {
  missing: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The store did not grant ${this.missing.join(", ")}. Connect it again and accept all permissions.`
  }
}

/** The state of the request does not allow this change. */
export class PrivacyRequestStatusInvalid extends Schema.TaggedError<PrivacyRequestStatusInvalid>()(
  "PrivacyRequestStatusInvalid",
  {
    requestState: PrivacyState
  }
) {
  override get message() {
    return `The privacy request is ${this.requestState}. Only a request that is ready can be exported or completed.`
  }
}

/** The status of the connection does not allow reading from the shop. */
export class StoreNotConnected extends Schema.TaggedError<StoreNotConnected>()("StoreNotConnected", {
  storeStatus: StoreConnectionStatus
}) {
  override get message() {
    return `The store connection is ${this.storeStatus}. Connect the store again.`
  }
}
