export * from "./Api.ts"
export * from "./middleware.ts"
export { codeOf, type ProblemJson, problemJson } from "./problem.ts"
export * as Problems from "./problems.ts"
