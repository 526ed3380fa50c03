import type { OnboardingReason } from "@parley/domain/messaging"

/** Reasons by the error code of a refused step. Some calls give a code another meaning. */
export const onboardingReasons: ReadonlyMap<number, OnboardingReason> = new Map([
  [0, "token_ended"],
  [190, "token_ended"],
  [3, "permission_missing"],
  [10, "permission_missing"],
  [131_005, "permission_missing"],
  [100, "parameter_invalid"],
  [131_008, "parameter_invalid"],
  [131_009, "parameter_invalid"],
  [368, "account_locked"],
  [131_031, "account_locked"],
  [4, "call_limit_reached"],
  [80_007, "call_limit_reached"],
  [130_429, "call_limit_reached"],
  [33, "number_deleted"],
  [2, "provider_unavailable"],
  [131_000, "provider_unavailable"],
  [131_016, "provider_unavailable"],
  [133_004, "provider_unavailable"],
  [133_000, "deregistration_incomplete"],
  [133_005, "pin_mismatch"],
  [133_006, "number_not_verified"],
  [133_008, "pin_guesses_exhausted"],
  [133_009, "pin_guessed_too_fast"],
  [133_010, "not_registered"],
  [133_015, "number_deleted_recently"],
  [133_016, "too_many_registrations"],
  [2_593_107, "sync_repeated"],
  [2_593_108, "sync_too_late"],
  [2_593_109, "sync_declined"]
])

const firstPermission = 200
const lastPermission = 299

/** Returns the reason for an error code of a step. */
export const onboardingReasonOf = (code: number): OnboardingReason =>
  onboardingReasons.get(code) ?? (code >= firstPermission && code <= lastPermission ? "permission_missing" : "other")
