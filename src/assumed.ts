/**
 * Ready schemas of what the API's document does not show. All of it is assumed.
 *
 * @module adgen-sdk/assumed
 */
export {};
