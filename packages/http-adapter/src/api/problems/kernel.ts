import * as Kernel from "@parley/domain/kernel"
import { problem } from "../problem.ts"

export const ValidationFailed = problem(Kernel.ValidationFailed, 400, "The request is not valid")
export const CursorInvalid = problem(Kernel.CursorInvalid, 400, "The cursor is not valid")
export const PermissionDenied = problem(Kernel.PermissionDenied, 403, "A permission is missing")
export const ScopeDenied = problem(Kernel.ScopeDenied, 403, "A scope is missing")
export const FeatureNotInPlan = problem(Kernel.FeatureNotInPlan, 403, "The plan does not include the feature")
export const NotFound = problem(Kernel.NotFound, 404, "Not found")
export const KeyInProgress = problem(Kernel.IdempotencyKeyInProgress, 409, "The first request is still in progress")
export const AnswerWithdrawn = problem(Kernel.IdempotencyAnswerWithdrawn, 409, "The answer is no longer available")
export const VersionConflict = problem(Kernel.VersionConflict, 412, "The resource has changed")
export const KeyReused = problem(Kernel.IdempotencyKeyReused, 422, "The idempotency key was already used")

export const kernelProblems = {
  ValidationFailed,
  CursorInvalid,
  PermissionDenied,
  ScopeDenied,
  FeatureNotInPlan,
  NotFound,
  IdempotencyKeyInProgress: KeyInProgress,
  IdempotencyAnswerWithdrawn: AnswerWithdrawn,
  VersionConflict,
  IdempotencyKeyReused: KeyReused
}
