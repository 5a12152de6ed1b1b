/**
 * Has a generator end at once when its loop is left. Its own methods take effect at the next
 * yield: a poll or a pause would go on until then.
 *
 * @param leave - Ends what is under way
 */
export const closable = <T>(
  generator: AsyncGenerator<T, void, undefined>,
  leave: () => void,
): AsyncGenerator<T, void, undefined> => {
  const { return: close, throw: fail } = generator;
  generator.return = (value) => {
    leave();
    return close.call(generator, value);
  };
  generator.throw = (error) => {
    leave();
    return fail.call(generator, error);
  };
  return generator;
};
