// The SQLSTATEs that code raises or branches on, for `import * as SQLSTATE`: a bundle has only the codes that it uses.

// PostgreSQL documentation, appendix A.
export const unableToEstablishConnection = "08001";
export const connectionDoesNotExist = "08003";
export const connectionFailure = "08006";
export const featureNotSupported = "0A000";
export const cardinalityViolation = "21000";
export const characterNotInRepertoire = "22021";
export const invalidParameterValue = "22023";
export const invalidTextRepresentation = "22P02";
export const untranslatableCharacter = "22P05";
export const restrictViolation = "23001";
export const foreignKeyViolation = "23503";
export const uniqueViolation = "23505";
export const readOnlyTransaction = "25006";
export const noActiveTransaction = "25P01";
export const inFailedTransaction = "25P02";
export const invalidStatementName = "26000";
export const deadlockDetected = "40P01";
export const insufficientPrivilege = "42501";
export const duplicateObject = "42710";
export const undefinedFunction = "42883";
export const undefinedTable = "42P01";
export const invalidObjectDefinition = "42P17";
export const diskFull = "53100";
export const outOfMemory = "53200";
export const tooManyConnections = "53300";
export const configurationLimitExceeded = "53400";
export const statementTooComplex = "54001";
export const lockNotAvailable = "55P03";
export const queryCanceled = "57014";
export const adminShutdown = "57P01";
export const crashShutdown = "57P02";
export const cannotConnectNow = "57P03";
export const raisedException = "P0001";
export const internalError = "XX000";

// Raised by functions of a project, with the names of HTTP: the REST API answers PTnnn with the status nnn.
export const forbidden = "PT403";
export const notFound = "PT404";
export const conflict = "PT409";
export const gone = "PT410";
export const preconditionFailed = "PT412";
export const misdirectedRequest = "PT421";
export const unprocessableContent = "PT422";
export const locked = "PT423";
export const tooManyRequests = "PT429";
