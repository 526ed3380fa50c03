export { type FaultManner, faultsOfIssue, mostFaults, pointerTo } from "./faultsOfIssue.ts"
