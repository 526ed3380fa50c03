import * as Commerce from "@parley/domain/commerce"
import { problem } from "../problem.ts"

export const StoreCallbackSignatureInvalid = problem(
  Commerce.StoreCallbackSignatureInvalid,
  401,
  "The store callback is not signed"
)
export const StoreCallbackStateInvalid = problem(
  Commerce.StoreCallbackStateInvalid,
  400,
  "The store callback is not valid"
)
export const StoreCodeInvalid = problem(Commerce.StoreCodeInvalid, 400, "The code is not valid")
export const StoreExchangeInProgress = problem(
  Commerce.StoreExchangeInProgress,
  409,
  "Another call is connecting this shop"
)
export const StoreAuthorizationDenied = problem(Commerce.StoreAuthorizationDenied, 403, "The merchant denied access")
export const StoreExists = problem(Commerce.StoreExists, 409, "The store is already connected")
export const StoreBeingRemoved = problem(Commerce.StoreBeingRemoved, 409, "The store is being removed")
export const StoreNotConnected = problem(Commerce.StoreNotConnected, 409, "The store is not connected")
export const PrivacyRequestStatusInvalid = problem(
  Commerce.PrivacyRequestStatusInvalid,
  409,
  "The status does not allow this"
)
export const StoreConnectedElsewhere = problem(
  Commerce.StoreConnectedElsewhere,
  409,
  "Another organization has connected the store"
)
export const StoreAppNotConfigured = problem(Commerce.StoreAppNotConfigured, 409, "The store app is not configured")
export const StoreScopesMissing = problem(Commerce.StoreScopesMissing, 409, "Required store permissions are missing")
export const StoreRefused = problem(Commerce.StoreRefused, 422, "The store rejected the request", {
  code: "providerCode"
})
export const StoreUnreachable = problem(Commerce.StoreUnreachable, 503, "The store is not reachable")

export const commerceProblems = {
  StoreCallbackSignatureInvalid,
  StoreCallbackStateInvalid,
  StoreCodeInvalid,
  StoreExchangeInProgress,
  StoreAuthorizationDenied,
  StoreExists,
  StoreBeingRemoved,
  StoreNotConnected,
  PrivacyRequestStatusInvalid,
  StoreConnectedElsewhere,
  StoreAppNotConfigured,
  StoreScopesMissing,
  StoreRefused,
  StoreUnreachable
}
