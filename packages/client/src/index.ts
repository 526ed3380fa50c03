export { createParley, createParleyOf } from "./createParley.ts"
export type {
  CallOptions,
  Follow,
  FollowFrom,
  FollowOptions,
  InputOf,
  Parley,
  ParleyOf,
  Result,
  ThrowingParley,
  ThrowingParleyOf
} from "./methods.ts"
export type { FileBody, Page } from "./operation.ts"
export type { CommonCode, Operations, ProblemBodies } from "./operations.generated.ts"
export { type ClientCode, isProblem, ParleyProblem, type Problem } from "./problem.ts"
export type * from "./schemas.generated.ts"
export type { ParleyOptions } from "./send.ts"
export type { Session, TokenPair, TokenSource } from "./tokens.ts"
export type { RetryPolicy, Sleep } from "./transport.ts"
