import { formatBytes } from "@parley/domain/kernel"
import { Schema } from "effect"
import { problem } from "../problem.ts"

/** The service is not able to answer now. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many requests. Try again in ${this.retryAfterSeconds} seconds.`
  }
}

/** The body is larger than the service reads. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", { max: Schema.Int }) {
  override get message() {
    return `The body exceeds ${formatBytes(this.max)}.`
  }
}

/** The received bytes are no HTTP/1.1 request. */
export class RequestMalformed extends Schema.TaggedError<RequestMalformed>()("RequestMalformed", {}) {
  override get message() {
    return "The request is not a valid HTTP/1.1 request."
  }
}

/** The request took too long to arrive. */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("RequestTimeout", {}) {
  override get message() {
    return "The request did not arrive in time."
  }
}

/** The request line and the headers are larger than the service reads. */
export class HeadersTooLarge extends Schema.TaggedError<HeadersTooLarge>()("HeadersTooLarge", {}) {
  override get message() {
    return "The URL and the headers of the request are too large."
  }
}

/** Nothing lives at this path. */
export class PathNotFound extends Schema.TaggedError<PathNotFound>()("PathNotFound", {}) {
  override get message() {
    return "This path does not exist."
  }
}

/** The path does not know this method. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allowed: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This path supports: ${this.allowed.join(", ")}.`
  }
}

/** The body is of a type that the endpoint does not read. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {
  accepted: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This endpoint does not support this media type. Send ${this.accepted.join(" or ")}, and text in UTF-8.`
  }
}

/** The Idempotency-Key is not one. */
export class IdempotencyKeyInvalid extends Schema.TaggedError<IdempotencyKeyInvalid>()("IdempotencyKeyInvalid", {}) {
  override get message() {
    return "An Idempotency-Key is 1 to 255 visible ASCII characters."
  }
}

/** Something went wrong inside; what, is in the service's log under the request's id. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", {}) {
  override get message() {
    return "An internal error occurred. Specify the request id when you report it."
  }
}

/** The service cannot answer now: its database is away or does not keep up, or it starts, stops or is overloaded. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", {
  retryAfterSeconds: Schema.Int,
  /** Whether the change may have been committed. */
  outcomeUnknown: Schema.Boolean
}) {
  override get message() {
    const again = `Try again in ${this.retryAfterSeconds} ${this.retryAfterSeconds === 1 ? "second" : "seconds"}.`
    return this.outcomeUnknown
      ? `The service lost its database during the commit. The change may or may not be stored: check before you repeat the request.`
      : `The service is unavailable. Nothing was changed. ${again}`
  }
}

export const Malformed = problem(RequestMalformed, 400, "The request is malformed")
export const KeyInvalid = problem(IdempotencyKeyInvalid, 400, "The idempotency key is not valid")
export const NoPath = problem(PathNotFound, 404, "Unknown path")
export const NoMethod = problem(MethodNotAllowed, 405, "Method not allowed")
export const TimedOut = problem(RequestTimeout, 408, "The request did not arrive in time")
export const TooLarge = problem(PayloadTooLarge, 413, "The body is too large")
export const WrongMediaType = problem(UnsupportedMediaType, 415, "The media type is not supported")
export const TooMany = problem(RateLimited, 429, "Too many requests")
export const LargeHeaders = problem(HeadersTooLarge, 431, "The headers are too large")
export const Internal = problem(InternalError, 500, "Internal error")
export const Unavailable = problem(ServiceUnavailable, 503, "The service is unavailable")

export const requestsProblems = {
  RequestMalformed: Malformed,
  IdempotencyKeyInvalid: KeyInvalid,
  PathNotFound: NoPath,
  MethodNotAllowed: NoMethod,
  RequestTimeout: TimedOut,
  PayloadTooLarge: TooLarge,
  UnsupportedMediaType: WrongMediaType,
  RateLimited: TooMany,
  HeadersTooLarge: LargeHeaders,
  InternalError: Internal,
  ServiceUnavailable: Unavailable
}
