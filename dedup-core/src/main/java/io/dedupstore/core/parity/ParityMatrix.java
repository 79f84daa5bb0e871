package io.dedupstore.core.parity;

import java.util.List;

/**
 * A matrix over GF(2^8); immutable. Parity's own is that of docs/formats/parity.md: every square
 * part of a Cauchy matrix has an inverse, so any {@code data} fragments give all others.
 */
final class ParityMatrix {
    private final int columns;
    private final byte[] coefficients;

    private ParityMatrix(int columns, byte[] coefficients) {
        this.columns = columns;
        this.coefficients = coefficients;
    }

    /** What makes the parity fragments from those of data. */
    static ParityMatrix of(ParityScheme scheme) {
        int k = scheme.data();
        byte[] coefficients = new byte[scheme.parity() * k];
        for (int i = 0; i < coefficients.length; i++) {
            int fragment = k + i / k;
            coefficients[i] = (byte) GaloisField.invert(fragment ^ i % k);
        }
        return new ParityMatrix(k, coefficients);
    }

    /** Row by row; a copy. */
    byte[] coefficients() {
        return coefficients.clone();
    }

    byte[] column(int column) {
        byte[] values = new byte[coefficients.length / columns];
        for (int row = 0; row < values.length; row++) {
            values[row] = coefficients[row * columns + column];
        }
        return values;
    }

    /**
     * What makes the lost fragments from the present ones.
     *
     * @param present numbers of as many fragments as carry data
     */
    ParityMatrix reconstruction(List<Integer> present, List<Integer> lost) {
        byte[][] inverse = inverse(rows(present));
        byte[] result = new byte[lost.size() * columns];
        int at = 0;
        for (byte[] row : rows(lost)) {
            for (int column = 0; column < columns; column++) {
                int sum = 0;
                for (int i = 0; i < columns; i++) {
                    sum ^= GaloisField.multiply(row[i] & 0xff, inverse[i][column] & 0xff);
                }
                result[at++] = (byte) sum;
            }
        }
        return new ParityMatrix(columns, result);
    }

    /** Of all fragments' matrix, in which those of data are unit vectors. */
    private byte[][] rows(List<Integer> fragments) {
        byte[][] rows = new byte[fragments.size()][columns];
        for (int i = 0; i < rows.length; i++) {
            int fragment = fragments.get(i);
            if (fragment < columns) {
                rows[i][fragment] = 1;
            } else {
                System.arraycopy(coefficients, (fragment - columns) * columns, rows[i], 0, columns);
            }
        }
        return rows;
    }

    /** By Gauss and Jordan; the matrix is used up. */
    private static byte[][] inverse(byte[][] matrix) {
        int n = matrix.length;
        byte[][] inverse = new byte[n][n];
        for (int i = 0; i < n; i++) {
            inverse[i][i] = 1;
        }
        for (int pivot = 0; pivot < n; pivot++) {
            int row = pivot;
            while (matrix[row][pivot] == 0) {
                row++; // ends, because every matrix here has an inverse
            }
            swap(matrix, pivot, row);
            swap(inverse, pivot, row);
            int factor = GaloisField.invert(matrix[pivot][pivot] & 0xff);
            scale(matrix[pivot], factor);
            scale(inverse[pivot], factor);
            for (int other = 0; other < n; other++) {
                int multiple = matrix[other][pivot] & 0xff;
                if (other != pivot && multiple != 0) {
                    addMultiple(matrix[other], matrix[pivot], multiple);
                    addMultiple(inverse[other], inverse[pivot], multiple);
                }
            }
        }
        return inverse;
    }

    private static void swap(byte[][] rows, int a, int b) {
        byte[] row = rows[a];
        rows[a] = rows[b];
        rows[b] = row;
    }

    private static void scale(byte[] row, int factor) {
        for (int i = 0; i < row.length; i++) {
            row[i] = (byte) GaloisField.multiply(row[i] & 0xff, factor);
        }
    }

    private static void addMultiple(byte[] row, byte[] of, int factor) {
        for (int i = 0; i < row.length; i++) {
            row[i] ^= (byte) GaloisField.multiply(of[i] & 0xff, factor);
        }
    }
}
